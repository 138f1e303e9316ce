// Goroutines that wait while only variables on their stacks whose address is taken lead to what they hold. The
// first argument names the heap dump that it writes. Truth: it prints "WHERE ADDRESS" of each main.kept that is held,
// and all of these survive two collections.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"time"
)

type kept struct {
	id   int
	next *kept
	data [100]byte
}

type pair struct {
	number uintptr
	one    *kept
	other  *pair
}

const each = 20

var (
	made  []string // no pointers
	ready = make(chan bool)
	never = make(chan *kept)
	stop  = make(chan bool)
)

func hold(where string) *kept {
	k := &kept{id: len(made)}
	made = append(made, fmt.Sprintf("%s %#x", where, reflect.ValueOf(k).Pointer()))
	return k
}

//go:noinline
func park() { ready <- true; <-stop }

// What `c <- v` sends is a variable of the sender.
//
//go:noinline
func send(k *kept) { ready <- true; never <- k }

//go:noinline
func sendAny(k *kept, c chan any) {
	ready <- true
	select {
	case c <- k:
	case <-stop:
	}
}

//go:noinline
func use(p *pair) { park(); runtime.KeepAlive(p) }

// A variable that leads to another one of the same frame, and that to the heap.
//
//go:noinline
func chain(k *kept) {
	inner := pair{one: k}
	outer := pair{number: 1, other: &inner}
	use(&outer)
}

//go:noinline
func middle(k **kept) { park(); runtime.KeepAlive(k) }

// A pointer into the middle of an array on the stack, from a frame further in.
//
//go:noinline
func array(k *kept) {
	var held [9]*kept
	held[7] = k
	middle(&held[3])
	runtime.KeepAlive(&held)
}

//go:noinline
func window(s []*kept) { park(); runtime.KeepAlive(s) }

//go:noinline
func slices(k *kept) {
	var held [9]*kept
	held[0] = k
	window(held[4:])
}

//go:noinline
func call(f func() int) { park(); f() }

// A closure on the stack, which has the address of a variable on the stack.
//
//go:noinline
func closure(k *kept) {
	count := pair{one: k}
	call(func() int { count.number++; return count.one.id })
}

// More deferred calls than have places in the code: their records and closures are on the stack.
//
//go:noinline
func deferred(k *kept) {
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	defer func() { k.id++ }()
	park()
}

type named interface{ name(*pair) }

//go:noinline
func (p *pair) name(other *pair) { park(); runtime.KeepAlive(p); runtime.KeepAlive(other) }

// A receiver on the stack, in an interface.
//
//go:noinline
func method(k *kept) {
	other := pair{one: k}
	var n named = &pair{other: &other}
	n.name(nil)
}

// What is no longer used keeps nothing.
//
//go:noinline
func over(k *kept) {
	p := pair{one: k}
	read(&p)
	park()
}

//go:noinline
func read(p *pair) { p.number += uintptr(p.one.id) }

func main() {
	others := make(chan any)
	for where, f := range map[string]func(*kept){
		"send": send, "select": func(k *kept) { sendAny(k, others) }, "chain": chain, "array": array,
		"slices": slices, "closure": closure, "deferred": deferred, "method": method,
	} {
		for i := 0; i < each; i++ {
			go f(hold(where))
			<-ready
		}
	}
	for i := 0; i < each; i++ {
		go over(&kept{id: -1})
		<-ready
	}
	time.Sleep(50 * time.Millisecond)
	runtime.GC()
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, line := range made {
		fmt.Println(line)
	}
	debug.WriteHeapDump(file.Fd())
	fmt.Fprintln(os.Stderr, "ready")
	time.Sleep(time.Hour) // with a timer nobody calls it a deadlock
}
