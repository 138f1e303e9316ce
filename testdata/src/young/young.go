// A process that has not collected yet: the runtime has no masks of its large types. Numbers in them that equal
// addresses are no pointers.
package main

import (
	"time"
	"unsafe"
)

type item struct {
	n    [3]int
	next *item
}

type table struct {
	numbers [200]uintptr // addresses of items that nothing else keeps
	items   [20]*item
}

var (
	kept *table
	last *item // 1 of the 200 stays
)

func main() {
	kept = new(table)
	for i := range kept.numbers {
		last = &item{}
		kept.numbers[i] = uintptr(unsafe.Pointer(last))
	}
	for i := range kept.items {
		kept.items[i] = &item{}
	}
	println("ready")
	time.Sleep(time.Minute)
}
