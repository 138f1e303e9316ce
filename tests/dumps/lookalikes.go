// Keeps values that look like others without their types, and writes a dump of itself.
package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
)

type conn struct {
	id   int
	next *conn
}

type node struct {
	parent *node
	name   string
}

var (
	pairs   = map[*conn]*node{} // a slot is like two pointers
	couples [][2]*conn
	kept    []map[string][]*conn
	words   *regexp.Regexp // package regexp has maps whose headers are like a struct with a slice
)

func main() {
	for i := 0; i < 40; i++ {
		c := &conn{id: i}
		pairs[c] = &node{name: fmt.Sprint("node ", i)}
		couple := []*conn{c, {id: -i}}
		couples = append(couples, [2]*conn{couple[0], couple[1]})
		kept = append(kept, map[string][]*conn{"couple": couple})
	}
	words = regexp.MustCompile(`[[:alpha:]]+(a|b)*\d{3}`)
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	fmt.Println("{}")
}
