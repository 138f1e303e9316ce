// Holds much itself, and has packages with tables that are filled at start: its own, another of its owner, and a
// library of somebody else. Writes a dump of itself.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/one/app/store"
	"github.com/one/common"
	"github.com/two/lib"
)

type session struct{ Bytes [1000]byte }

var gSessions []*session

func main() {
	for i := 0; i < 2000; i++ {
		gSessions = append(gSessions, &session{})
	}
	for i := 0; i < 20; i++ {
		lib.Register(&session{})
	}
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	runtime.KeepAlive(gSessions)
	store.Use()
	common.Use()
	lib.Use()
}
