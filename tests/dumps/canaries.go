// Puts texts and numbers that nobody may see into every kind of memory, writes a dump of itself, and waits until its
// standard input ends. Each begins with the same word, made at run time, and a letter that says where it is.
package main

/*
#include <stdlib.h>
#include <string.h>
static char *kept[64];
static void keep(int at, const char *text) { kept[at] = strdup(text); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
	"unicode/utf16"
)

type person struct {
	Name  string
	Code  [16]byte
	Card  uint64
	Ratio float64
	Next  *person
	Lock  sync.Mutex
	Any   any
	Pair  [2]uint64
}

// "kanarie" in the executable would be a constant of the program.
func word() string {
	text := []byte("xnanevr")
	for i, c := range text {
		text[i] = 'a' + (c-'a'+13)%26
	}
	return string(text)
}

func canary(kind byte, n int) string {
	return fmt.Sprintf("%s%c%05d", word(), kind, n)
}

func number(kind byte) uint64 {
	var value uint64
	for i, c := range []byte(word() + string(kind)) {
		value |= uint64(c) << (8 * i)
	}
	return value
}

const each = 100

var (
	// variables with pointers, without, and in bss
	inData            = struct{ Text [12]byte; At *person }{[12]byte{'k', 'a', 'n', 'a', 'r', 'i', 'e', 'd', '1', '2', '3', '4'}, &people[0]}
	inNoptr           = [12]byte{'k', 'a', 'n', 'a', 'r', 'i', 'e', 'n', '1', '2', '3', '4'}
	inBss             struct{ Number uint64; Text string; At *person }
	inNoptrBss        [4]uint64
	people            [4]person
	strings           []string
	arrays            [][]byte
	wide              [][]uint16
	texts             = map[string]string{}
	numbers           = map[uint64]uint64{}
	structs           = map[[12]byte]*person{}
	shared            sync.Map
	queue             = make(chan string, each)
	list              *person
	anything          []any
	closures          []func() string
	pool              = sync.Pool{}
	timers            []*time.Timer
	freed             *[]string
	stop              bool
	spun              uint64
	blocked           sync.WaitGroup
	gate              = make(chan bool)
	mapped            []byte
)

func fill() {
	for i := 0; i < each; i++ {
		strings = append(strings, canary('s', i))
		arrays = append(arrays, []byte(canary('a', i)))
		wide = append(wide, utf16.Encode([]rune(canary('w', i))))
		texts[canary('k', i)] = canary('v', i)
		numbers[number('K')+uint64(i)<<32] = number('V')
		var key [12]byte
		copy(key[:], canary('K', i))
		p := &person{Name: canary('p', i), Card: number('c'), Ratio: float64(i), Next: list, Any: number('i')}
		copy(p.Code[:], canary('o', i))
		p.Pair[1] = number('2')
		structs[key], list = p, p
		shared.Store(canary('x', i), number('y'))
		queue <- canary('q', i)
		anything = append(anything, canary('e', i), number('E'), key)
		local := canary('l', i)
		bits := number('L')
		closures = append(closures, func() string { return local + fmt.Sprint(bits) })
		timers = append(timers, time.AfterFunc(time.Hour, func() { fmt.Println(local, bits) }))
		if i < 64 {
			C.keep(C.int(i), C.CString(canary('C', i)))
		}
	}
	inBss.Number, inBss.Text, inBss.At = number('b'), canary('b', 1), list
	for i := range inNoptrBss {
		inNoptrBss[i] = number('B')
	}
	pool.Put(&person{Name: canary('P', 1)})
	gone := make([]string, 0, each)
	for i := 0; i < each; i++ {
		gone = append(gone, canary('g', i))
	}
	freed = &gone
}

//go:noinline
func park(n int) {
	var frame [64]byte
	var words [8]uint64
	copy(frame[:], canary('S', n))
	for i := range words {
		words[i] = number('W')
	}
	text := canary('T', n)
	blocked.Done()
	<-gate
	fmt.Println(frame, words, text)
}

// A file of data whose name looks like that of a library.
func mapData(beside string) []byte {
	name := beside + canary('f', 1) + ".so.1"
	if err := os.WriteFile(name, []byte(canary('m', 1)), 0o600); err != nil {
		panic(err)
	}
	defer os.Remove(name)
	file, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	data, err := syscall.Mmap(int(file.Fd()), 0, 10, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	data[0]++
	return data
}

//go:noinline
func spin(a, b, c, d uint64) uint64 {
	for !stop {
		a, b, c, d = b, c, d, a
	}
	return a + b + c + d
}

func main() {
	fill()
	freed = nil // what was there stays in free slots
	for i := 0; i < 20; i++ {
		blocked.Add(1)
		go park(i)
	}
	blocked.Wait()
	mapped = mapData(os.Args[1])
	go func() { spun = spin(number('r'), number('r'), number('r'), number('r')) }()
	runtime.Gosched()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	file.Close()
	fmt.Println("{}")
	os.Stdin.Read(make([]byte, 1))
	runtime.KeepAlive(inData)
	fmt.Fprintln(os.Stderr, len(queue), len(closures), spun, pool.Get(), string(inNoptr[:]))
}
