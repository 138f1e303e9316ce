// A program with code in C whose goroutines all wait; with the word "foreign" it has a thread that is not of Go.
package main

/*
#include <pthread.h>
#include <unistd.h>

static void *run(void *p)
{
	for (;;)
		pause();
	return p;
}

static void start(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, run, 0);
}
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
)

var group sync.WaitGroup
var channel = make(chan int)

//go:noinline
func sends() { channel <- 1 }

func main() {
	if os.Args[1] == "foreign" {
		C.start()
	}
	group.Add(1)
	for i := 0; i < 3; i++ {
		go sends()
	}
	fmt.Println("ready")
	group.Wait()
}
