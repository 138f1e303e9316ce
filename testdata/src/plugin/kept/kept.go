// A plugin with a hundred objects of 5,000 bytes in a variable of its own.
package main

import "runtime"

// A value that the runtime keeps for its finalizer: dumps record its type, which the program lacks.
type closer struct {
	next *closer
	id   int
}

var (
	kept    []*[5000]byte
	closing []any
)

func Start(c chan int) {
	for i := 0; i < 100; i++ {
		kept = append(kept, new([5000]byte))
	}
	c1 := &closer{id: 1}
	runtime.SetFinalizer(c1, func(*closer) {})
	closing = append(closing, c1)
	go func() { kept = kept[:<-c] }()
}

func main() {}
