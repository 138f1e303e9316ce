// A program that maps memory itself, between allocations, beside what the runtime maps meanwhile, so that the kernel joins
// some of it with the runtime's. Its arguments are the number of parts, their size, how much of each is written, and the
// number of allocations after each. It says how much it has mapped and written, and waits.
package main

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

var kept [][]byte
var nodes []*[64]*int

func number(n int) int {
	number, err := strconv.Atoi(os.Args[n])
	if err != nil {
		panic(err)
	}
	return number
}

func main() {
	parts, part, written, allocations := number(1), number(2), number(3), number(4)
	for i := 0; i < parts; i++ {
		data, err := syscall.Mmap(-1, 0, part, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		for at := 0; at < written; at += 4096 {
			data[at] = 1
		}
		kept = append(kept, data)
		for k := 0; k < allocations; k++ {
			nodes = append(nodes, new([64]*int))
		}
	}
	println(parts*part, parts*written)
	time.Sleep(time.Hour)
}
