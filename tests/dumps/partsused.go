// A program of which a goroutine uses parts of two arrays, and global variables all of them.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

type item struct{ content [1000]byte }

type parts struct {
	text []byte
	last []*item
}

var (
	allText  []byte
	allItems []*item
	started  = make(chan bool)
	forever  = make(chan bool)
)

//go:noinline
func use(p *parts) {
	started <- true
	<-forever
	runtime.KeepAlive(p)
}

func main() {
	allText = make([]byte, 1<<20)
	allItems = make([]*item, 1024)
	for i := range allItems {
		allItems[i] = &item{}
	}
	go use(&parts{allText[:100], allItems[900:]})
	<-started
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GC()
	debug.WriteHeapDump(file.Fd())
	fmt.Println("null")
	runtime.KeepAlive(allText)
}
