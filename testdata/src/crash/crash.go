// A program that ends itself: `crash fatal` by two writers of one map, `crash panic` by a panic. By then
// one goroutine has waited for a channel and is in a system call.
package main

import (
	"os"
	"syscall"
	"time"
)

type jobError struct{ msg string }

func (e *jobError) Error() string { return e.msg }

var index = map[int]int{}

//go:noinline
func writer(n int) {
	for i := 0; ; i++ {
		index[n<<20+i%500] = i
	}
}

//go:noinline
func worker(c chan int) {
	<-c
	panic(&jobError{"job 17 has no owner"})
}

func reader(a, b chan int, fd int) {
	select {
	case <-a:
	case <-b:
	}
	var buf [1]byte
	syscall.Read(fd, buf[:])
}

func main() {
	var pipe [2]int
	syscall.Pipe(pipe[:])
	a := make(chan int)
	go reader(a, make(chan int), pipe[0])
	a <- 1
	time.Sleep(20 * time.Millisecond)
	if os.Args[1] == "fatal" {
		go writer(1)
		go writer(2)
	} else {
		c := make(chan int)
		go worker(c)
		c <- 1
	}
	time.Sleep(time.Minute)
}
