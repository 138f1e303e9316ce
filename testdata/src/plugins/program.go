// Opens the plugins that are named, and writes what is true of their variables into the file that is named first. With
// "dump:FILE" it writes a dump of itself.
package main

import (
	"os"
	"plugin"
	"runtime/debug"
	"strings"
	"time"
)

var opened []*plugin.Plugin

func of(p *plugin.Plugin, name string) plugin.Symbol {
	found, err := p.Lookup(name)
	if err != nil {
		panic(err)
	}
	return found
}

func main() {
	truth, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	dump := ""
	for _, path := range os.Args[2:] {
		if strings.HasPrefix(path, "dump:") {
			dump = path[len("dump:"):]
			continue
		}
		p, err := plugin.Open(path)
		if err != nil {
			panic(err)
		}
		of(p, "Fill").(func())()
		truth.WriteString(of(p, "Truth").(func() string)())
		opened = append(opened, p)
	}
	truth.Close()
	time.Sleep(200 * time.Millisecond)
	if dump != "" {
		file, err := os.Create(dump)
		if err != nil {
			panic(err)
		}
		debug.WriteHeapDump(file.Fd())
	}
	println("ready")
	time.Sleep(time.Hour)
}
