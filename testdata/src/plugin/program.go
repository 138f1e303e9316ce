// Loads a plugin, whose goroutine waits for what this program never sends. Writes a dump of itself if a file is named.
package main

import (
	"os"
	"plugin"
	"runtime/debug"
	"time"
)

func main() {
	loaded, err := plugin.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	start, err := loaded.Lookup("Start")
	if err != nil {
		panic(err)
	}
	start.(func(chan int))(make(chan int))
	time.Sleep(200 * time.Millisecond)
	if len(os.Args) > 2 {
		file, err := os.Create(os.Args[2])
		if err != nil {
			panic(err)
		}
		debug.WriteHeapDump(file.Fd())
	}
	println("ready")
	time.Sleep(time.Hour)
}
