// A program with as many threads as its argument says, or, for "kept", with memory that forks do not get: 1 MB each that
// is not there in them, and that is empty in them. It writes a line when it has that.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

const dontFork, wipeOnFork = 10, 18

func keep(advice int) {
	memory, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err == nil {
		err = syscall.Madvise(memory, advice)
	}
	if err != nil {
		panic(err)
	}
	for i := range memory {
		memory[i] = 0x5a
	}
}

func crowd(count int) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		panic(err)
	}
	debug.SetMaxThreads(count + 100)
	begun := make(chan bool)
	for i := 0; i < count; i++ {
		go func() {
			runtime.LockOSThread()
			begun <- true
			syscall.Read(ends[0], make([]byte, 1))
		}()
		<-begun
	}
}

func main() {
	if os.Args[1] == "kept" {
		keep(dontFork)
		keep(wipeOnFork)
	} else if count, err := strconv.Atoi(os.Args[1]); err == nil {
		crowd(count)
	}
	os.Stdout.WriteString("begun\n")
	time.Sleep(time.Hour)
}
