// A program whose goroutines wait for locks, conditions and a group in global variables, and for nothing else.
package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

var (
	mutex   sync.Mutex
	readers sync.RWMutex
	group   sync.WaitGroup
	once    sync.Once
	cond    = sync.Cond{L: &mutexOfCond}

	mutexOfCond sync.Mutex
	started     sync.WaitGroup
)

func waitMutex()  { started.Done(); mutex.Lock() }
func waitReader() { started.Done(); readers.RLock() }
func waitGroup()  { started.Done(); group.Wait() }
func waitOnce()   { started.Done(); once.Do(func() {}) }
func waitCond()   { mutexOfCond.Lock(); started.Done(); cond.Wait() }

func main() {
	mutex.Lock()
	readers.Lock()
	group.Add(1)
	inside := make(chan bool, 1)
	release := time.Now().Add(time.Hour)
	go once.Do(func() {
		inside <- true
		for time.Now().Before(release) { // it sleeps, which nobody has to end
			time.Sleep(time.Hour)
		}
	})
	<-inside
	counts := map[string]int{"main.waitMutex": 9, "main.waitReader": 8, "main.waitGroup": 7, "main.waitOnce": 5, "main.waitCond": 11}
	calls := map[string]func(){"main.waitMutex": waitMutex, "main.waitReader": waitReader, "main.waitGroup": waitGroup,
		"main.waitOnce": waitOnce, "main.waitCond": waitCond}
	for name, count := range counts {
		for i := 0; i < count; i++ {
			started.Add(1)
			go calls[name]()
		}
	}
	started.Wait()
	for waiting() < 9+8+7+5+11 {
		time.Sleep(time.Millisecond)
	}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	json.NewEncoder(os.Stdout).Encode(counts)
}

// waiting returns how many goroutines the runtime itself says wait for locks, conditions or groups.
func waiting() int {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	count := 0
	for i := range text {
		for _, state := range []string{" [semacquire", " [sync."} {
			if i+len(state) <= len(text) && string(text[i:i+len(state)]) == state {
				count++
			}
		}
	}
	return count
}
