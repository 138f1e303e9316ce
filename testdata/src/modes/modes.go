// Goroutines that wait, of which nothing can wake twenty, and a cache, in a program that may be built
// with every linker and in every mode.
package main

import (
	"sync"
	"time"
)

type session struct {
	name string
	body []byte
	next *session
}

var cache = map[string]*session{}
var last *session
var events = make(chan int)

func leakSend(c chan int)     { c <- 1 }
func waitEvents()             { <-events }
func waitMutex(m *sync.Mutex) { m.Lock() }
func waitTimer(t *time.Timer) { <-t.C }

func main() {
	for i := 0; i < 300; i++ {
		last = &session{name: "session " + string(rune('a'+i%26)), body: make([]byte, 1000), next: last}
		cache[last.name+string(rune('A'+i/26))] = last
	}
	for i := 0; i < 20; i++ {
		go leakSend(make(chan int))
	}
	go waitEvents()
	go waitTimer(time.NewTimer(time.Hour))
	m := &sync.Mutex{}
	m.Lock()
	go waitMutex(m)
	time.Sleep(200 * time.Millisecond)
	println("ready")
	time.Sleep(time.Hour)
	waitMutex(m)
	events <- len(cache)
}
