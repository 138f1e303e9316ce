// A program that maps memory itself, between allocations: 40 parts of 2 MB, 256 KB of each written, beside what the
// runtime maps meanwhile, so that the kernel joins some of them with the runtime's. It says how much it has mapped and
// written, and waits.
package main

import (
	"syscall"
	"time"
)

const parts, part, written = 40, 2 << 20, 256 << 10

var kept [][]byte
var nodes []*[64]*int

func main() {
	for i := 0; i < parts; i++ {
		data, err := syscall.Mmap(-1, 0, part, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		for at := 0; at < written; at += 4096 {
			data[at] = 1
		}
		kept = append(kept, data)
		for k := 0; k < 100; k++ {
			nodes = append(nodes, new([64]*int))
		}
	}
	println(parts*part, parts*written)
	time.Sleep(time.Hour)
}
