// A program whose collector is off: objects that nothing points to, of two types and from two calls each. All of the
// first type are sampled, of the second one a few. One of the first type and each call is left, so that the type of the
// others is known.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

type exact struct {
	next *exact
	pad  [248]byte
}

type rough struct {
	next *rough
	pad  [1016]byte
}

var lastExact, keptOften, keptRarely *exact
var lastRough *rough

//go:noinline
func exactOften() { lastExact = new(exact); lastExact.pad[0] = 1 }

//go:noinline
func exactRarely() { lastExact = new(exact); lastExact.pad[0] = 1 }

//go:noinline
func roughOften() { lastRough = new(rough); lastRough.pad[0] = 1 }

//go:noinline
func roughRarely() { lastRough = new(rough); lastRough.pad[0] = 1 }

func main() {
	debug.SetGCPercent(-1)
	runtime.MemProfileRate = 1
	for i := 0; i < 4000; i++ {
		exactOften()
		keptOften = lastExact
		if i%4 == 0 {
			exactRarely()
			keptRarely = lastExact
		}
	}
	runtime.MemProfileRate = 16384
	for i := 0; i < 40000; i++ {
		roughOften()
		if i%4 == 0 {
			roughRarely()
		}
	}
	lastExact, lastRough = nil, nil
	records, _ := runtime.MemProfile(nil, true)
	fmt.Println(records)
	bufio.NewReader(os.Stdin).ReadByte()
}
