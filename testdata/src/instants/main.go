// Programs of one executable: with words "CASE... DUMP" it makes what the cases make (all of them without a name), collects
// twice, writes a heap dump and stays as it is. Truth: it prints "alive CASE ADDRESS" of what its code still uses, and
// "dead CASE ADDRESS" of what nothing has led to since, unless that memory was given to another object.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"time"
	"unsafe"
)

type kept struct {
	id   int
	next *kept
	data [100]byte
}

var (
	cases = map[string]func(){}
	lines []string // no pointers to what they tell of
	now   string
	ready = make(chan bool)
	stop  = make(chan bool)
)

//go:noinline
func tell(what string, address unsafe.Pointer) {
	lines = append(lines, fmt.Sprintf("%s %s %#x", what, now, uintptr(address)))
}

//go:noinline
func hold() *kept {
	k := &kept{id: len(lines)}
	tell("alive", unsafe.Pointer(k))
	return k
}

//go:noinline
func lose() *kept {
	k := &kept{id: len(lines)}
	tell("dead", unsafe.Pointer(k))
	return k
}

// Of the goroutine that calls it.
//
//go:noinline
func park() { ready <- true; <-stop }

// A goroutine, until it parks or says that it is ready.
func begin(f func()) {
	go f()
	<-ready
}

func main() {
	names := os.Args[1 : len(os.Args)-1 : len(os.Args)-1]
	if len(names) == 0 {
		for name := range cases {
			names = append(names, name)
		}
		sort.Strings(names)
	}
	for _, name := range names {
		if cases[name] == nil {
			fmt.Fprintln(os.Stderr, "there is none")
			os.Exit(3)
		}
		now = name
		cases[name]()
	}
	file, err := os.Create(os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	go time.Sleep(time.Hour) // a deadlock would be told
	time.Sleep(50 * time.Millisecond)
	runtime.GC()
	runtime.GC()
	debug.SetGCPercent(-1)
	for _, line := range lines {
		fmt.Println(line)
	}
	debug.WriteHeapDump(file.Fd())
	os.Stderr.WriteString("ready\n")
	<-stop
}
