// A program with a heap of its own types, for one that is linked with the runtime as a shared library.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

type session struct {
	number int
	name   string
	next   *session
	buffer *bytes.Buffer
}

var sessions = map[string]*session{}
var list []*session
var any interface{} = &session{name: "any"}

func wait(done chan int) { <-done }

func main() {
	for i := 0; i < 1000; i++ {
		one := &session{number: i, name: strings.Repeat("x", i%20), buffer: bytes.NewBufferString("hello")}
		sessions[fmt.Sprint(i)] = one
		list = append(list, one)
	}
	go wait(make(chan int))
	fmt.Printf("%p %p %p\n", &sessions, &list, &any)
	if len(os.Args) > 1 {
		file, err := os.Create(os.Args[1])
		if err != nil {
			panic(err)
		}
		debug.WriteHeapDump(file.Fd())
		file.Close()
	}
	os.Stdin.Read(make([]byte, 1))
	fmt.Println(any, len(sessions))
}
