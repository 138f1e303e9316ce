// An array of 1,000 items that only an unsafe pointer holds, with pointers to 50 of them; another of pairs of an item and
// a number, with pointers to the items of 50 pairs.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"unsafe"
)

type item struct {
	id, size int
}

type pair struct {
	one  item
	hash int
}

var items, pairs unsafe.Pointer
var some, more any

func main() {
	all, two := make([]item, 1000), make([]pair, 1000)
	var of []*item
	var in []*item
	for i := 0; i < 50; i++ {
		of = append(of, &all[i*19+i%3])
		in = append(in, &two[i*19+i%3].one)
	}
	items, pairs, some, more = unsafe.Pointer(&all[0]), unsafe.Pointer(&two[0]), of, in
	address, another := fmt.Sprintf("%p", &all[0]), fmt.Sprintf("%p", &two[0])
	all, two = nil, nil
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	fmt.Printf(`{"items": %q, "pairs": %q}`, address, another)
	runtime.KeepAlive(some)
}
