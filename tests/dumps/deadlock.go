// A program whose goroutines all wait for what only another one could end, in each way there is, and which the runtime does
// not end: it passes on signals. The words of its argument add what could wake one of them.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"time"
)

var (
	mu   sync.Mutex
	rw   sync.RWMutex
	wg   sync.WaitGroup
	once sync.Once
	cond = sync.NewCond(&sync.Mutex{})
	gch  = make(chan int)
)

type noisy struct{ p *int }

//go:noinline
func garbage() {
	for i := 0; i < 4; i++ {
		n := &noisy{new(int)}
		runtime.SetFinalizer(n, func(n *noisy) { gch <- 1 })
	}
}

func has(what string) bool { return strings.Contains(","+os.Args[1]+",", ","+what+",") }

func main() {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if has("sigwait") {
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		go func() { <-c; mu.Unlock() }()
	}
	if has("afterfunc") {
		time.AfterFunc(time.Hour, func() { gch <- 1 })
	}
	if has("after") {
		go func() { <-time.After(time.Hour); gch <- 1 }()
	}
	if has("timeout") {
		go func() {
			select {
			case <-time.After(time.Hour):
			case <-make(chan int):
			}
		}()
	}
	if has("idleticker") {
		t := time.NewTicker(time.Hour)
		go func() { <-make(chan int); <-t.C }()
	}
	if has("stopped") {
		t := time.AfterFunc(time.Hour, func() { gch <- 1 })
		t.Stop()
		u := time.NewTimer(time.Hour)
		u.Stop()
		go func() { <-gch; <-u.C }()
	}
	if has("sleep") {
		go func() { time.Sleep(time.Hour); gch <- 1 }()
	}
	if has("listen") {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		go func() { l.Accept(); gch <- 1 }()
	}
	if has("read") {
		go func() { os.Stdin.Read(make([]byte, 1)); gch <- 1 }()
	}
	if has("garbage") {
		garbage()
	}
	mu.Lock()
	rw.Lock()
	wg.Add(1)
	for i := 0; i < 3; i++ {
		if has("locks") {
			go func() { mu.Lock() }()
			continue
		}
		go func() { gch <- 1 }()
		go func() { mu.Lock() }()
		go func() { rw.RLock() }()
		go func() { wg.Wait() }()
		go func() { once.Do(func() { <-make(chan int) }) }()
		go func() { cond.L.Lock(); cond.Wait() }()
		go func() { var c chan int; <-c }()
		go func() { select {} }()
		go func() {
			a, b := make(chan int), make(chan string)
			select {
			case <-a:
			case b <- "":
			}
		}()
	}
	fmt.Println("ready")
	wg.Wait()
}
