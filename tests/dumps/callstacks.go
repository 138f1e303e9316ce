// A program with many call stacks in its profile of allocations, some in those of blocks and locks, and no heap. It
// says on its standard error how many records it has of allocations and what the runtime has for all profiles, and
// waits.
package main

import (
	"runtime"
	"sync"
	"time"
)

var sink []byte
var lock sync.Mutex

//go:noinline
func left(depth, path int) { step(depth-1, path>>1) }

//go:noinline
func right(depth, path int) { step(depth-1, path>>1) }

//go:noinline
func step(depth, path int) {
	switch {
	case depth == 0:
		sink = make([]byte, 64)
	case path&1 == 0:
		left(depth, path)
	default:
		right(depth, path)
	}
}

func main() {
	runtime.GOMAXPROCS(1)
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	ready := make(chan bool)
	lock.Lock()
	go func() {
		ready <- true
		lock.Lock()
		lock.Unlock()
		ready <- true
	}()
	<-ready
	for i := 0; i < 1000; i++ {
		runtime.Gosched()
	}
	lock.Unlock()
	<-ready
	runtime.MemProfileRate = 1
	for path := 0; path < 1<<14; path++ {
		step(14, path)
	}
	runtime.MemProfileRate = 0
	for i := 0; i < 1000; i++ { // the last samples, which are drawn before
		sink = make([]byte, 64)
	}
	runtime.SetBlockProfileRate(0)
	runtime.SetMutexProfileFraction(0)
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	n, _ := runtime.MemProfile(nil, true)
	println(n, stats.BuckHashSys)
	time.Sleep(time.Hour)
}
