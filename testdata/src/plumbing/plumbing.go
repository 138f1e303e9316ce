package main

// Goroutines wait in every way, each with a payload of its own, and timers run
// that only the runtime knows: who owns what is known by construction.

import (
	"encoding/json"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

type payload struct{ body []byte }

func make1(n int) *payload { return &payload{make([]byte, n)} }

type server struct {
	pool sync.Pool
	data *payload
}

var conds = sync.NewCond(&sync.Mutex{})
var locked sync.Mutex
var wg sync.WaitGroup

//go:noinline
func serve(s *server, c chan os.Signal) { // 400 KB by a goroutine, though its pool is in sync.allPools
	<-c
	runtime.KeepAlive(s)
}

//go:noinline
func waitCond(p *payload) {
	conds.L.Lock()
	conds.Wait()
	conds.L.Unlock()
	runtime.KeepAlive(p)
}

//go:noinline
func waitLock(p *payload) {
	locked.Lock()
	runtime.KeepAlive(p)
}

//go:noinline
func waitGroup(p *payload) {
	wg.Wait()
	runtime.KeepAlive(p)
}

//go:noinline
func waitSelect(p *payload, a, b chan int) {
	select {
	case <-a:
	case <-b:
	}
	runtime.KeepAlive(p)
}

//go:noinline
func tick() {
	t := time.NewTicker(time.Hour)
	for range t.C {
	}
}

//go:noinline
func later(n int) {
	for i := 0; i < n; i++ {
		p := make1(1024)
		time.AfterFunc(time.Hour, func() { p.body[0]++ })
	}
}

func main() {
	s := &server{data: make1(400 << 10)}
	s.pool.Put(make1(10))
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	go serve(s, c)
	s = nil
	locked.Lock()
	wg.Add(1)
	go waitCond(make1(100 << 10))
	go waitLock(make1(110 << 10))
	go waitGroup(make1(120 << 10))
	go waitSelect(make1(130<<10), make(chan int), make(chan int))
	go tick()
	later(200)
	time.Sleep(50 * time.Millisecond)
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	f, _ := os.Create(os.Args[1])
	debug.WriteHeapDump(f.Fd())
	f.Close()
	t, _ := os.Create(os.Args[2])
	json.NewEncoder(t).Encode(map[string]int{"main.serve": 400 << 10, "main.waitCond": 100 << 10, "main.waitLock": 110 << 10,
		"main.waitGroup": 120 << 10, "main.waitSelect": 130 << 10, "timers": 200 << 10})
	t.Close()
}
