// A program with values of several types in an arena (GOEXPERIMENT=arenas). It writes a heap dump into
// the file that it is told, says "ready" and waits.
package main

import (
	"arena"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

type Node struct {
	Next *Node
	N    int
}

type Record struct {
	Name    string
	Buf     []byte
	Outside *Node // on the heap, which only the arena holds
}

var (
	kept    *arena.Arena
	first   *Node
	records []*Record
)

func main() {
	kept = arena.NewArena()
	for i := 0; i < 1000; i++ {
		node := arena.New[Node](kept)
		node.Next, node.N = first, i
		first = node
		record := arena.New[Record](kept)
		record.Name = "record"
		record.Buf = arena.MakeSlice[byte](kept, 100, 100)
		record.Outside = &Node{nil, i}
		records = append(records, record)
	}
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	file.Close()
	println("ready")
	time.Sleep(time.Hour)
	runtime.KeepAlive(kept)
}
