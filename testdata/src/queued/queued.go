// Finalizers and cleanups that are queued and stay so: the first of each does not return. Each
// object has a block of its own, which nothing else holds. A program of 250 and 250, stripped, whose
// core file was written once it had told that it is ready.
package main

import (
	"runtime"
	"syscall"
)

const count = 250

type item struct {
	number int
	block  *block
}

type block struct{ words [100]int }

var never = make(chan bool)

func finalize(*item) { <-never }
func clean(*item)    { <-never }

//go:noinline
func abandon() {
	for i := 0; i < count; i++ {
		runtime.SetFinalizer(&item{i, new(block)}, finalize)
		runtime.AddCleanup(&item{i, nil}, clean, &item{i, new(block)})
	}
}

func main() {
	abandon()
	for i := 0; i < 6; i++ {
		runtime.GC()
		for j := 0; j < 100; j++ {
			runtime.Gosched()
		}
	}
	println("ready")
	for {
		syscall.Nanosleep(&syscall.Timespec{Sec: 1000}, nil)
	}
}
