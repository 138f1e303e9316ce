// Keeps a map behind an atomic pointer, beside a struct with a map of the same shape and other values,
// and writes a dump of itself.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
)

// Values of more than 128 bytes are objects of their own: a slot has a pointer to either.
type bowl struct {
	data [22]int
	name string
}

type plate struct {
	data [17]int
	name string
}

type menu struct {
	Bowls map[string]bowl
}

var (
	plates atomic.Pointer[map[string]*plate]
	today  menu
	later  *menu
)

func main() {
	for i := 0; i < 200; i++ {
		next := map[string]*plate{}
		if old := plates.Load(); old != nil {
			for key, value := range *old {
				next[key] = value
			}
		}
		next[strconv.Itoa(i)] = &plate{name: "p"}
		plates.Store(&next)
	}
	today.Bowls = map[string]bowl{"a": {name: "x"}, "b": {name: "y"}}
	later = &menu{Bowls: map[string]bowl{"c": {name: "z"}}}
	for i := 0; i < 3; i++ {
		runtime.GC() // the maps before the last one go
	}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	fmt.Println(`{"plates": 200, "bowls": 3}`)
}
