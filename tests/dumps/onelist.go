// A list of a million nodes below the only entry of a map.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

const nodes = 1000000

type node struct{ next *node }

var lists = map[string][]*node{}

func main() {
	var head *node
	for i := 0; i < nodes; i++ {
		head = &node{head}
	}
	lists["only"] = []*node{head}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	fmt.Println(nodes)
}
