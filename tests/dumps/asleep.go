// A program whose goroutines all wait: for a channel, for a lock and a wait group in global variables, and for nothing.
// The runtime ends it.
package main

import (
	"sync"
)

var lock sync.Mutex
var group sync.WaitGroup

//go:noinline
func sends(c chan int) { c <- 1 }

//go:noinline
func locks() { lock.Lock() }

//go:noinline
func never() { select {} }

func main() {
	lock.Lock()
	group.Add(1)
	for i := 0; i < 5; i++ {
		go sends(make(chan int))
		go locks()
	}
	go never()
	group.Wait()
}
