// Keeps values that only an address tells: numbers that lie in a table of the runtime, texts of a letter, constants
// chosen by a secret, and what stands behind a timer in the same object. It tells the bytes of each row of them, writes
// a dump of itself, and waits until its standard input ends.
package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"
)

const each = 100

type (
	small uint8
	named interface{ tell() string }
	pair  struct {
		Any  interface{}
		Text string
	}
	neighbour struct {
		Timer time.Timer
		Pin   [4]uint64
	}
)

func (s small) tell() string { return "small" }

// Of one length each, as lengths stay.
var words = [...]string{"alpha", "bravo", "delta", "hotel"}

func chosen(secret int) string {
	switch secret % 4 {
	case 0:
		return "amber"
	case 1:
		return "beige"
	case 2:
		return "coral"
	}
	return "green"
}

func boxed(secret int) interface{} {
	switch secret % 4 {
	case 0:
		return "north"
	case 1:
		return "south"
	case 2:
		return "state"
	}
	return "total"
}

func number(secret int) interface{} {
	switch secret % 3 {
	case 0:
		return 3.5
	case 1:
		return 700.25
	}
	return 12345.5
}

var (
	ints     = make([]interface{}, each)
	bytes    = make([]interface{}, each)
	shorts   = make([]interface{}, each)
	truths   = make([]interface{}, each)
	runes    = make([]interface{}, each)
	smalls   = make([]named, each)
	letters  = make([]string, each)
	colors   = make([]string, each)
	globals  = make([]string, each)
	points   = make([]interface{}, each)
	floats   = make([]interface{}, each)
	pairs    = make([]pair, each)
	boxes    = make([]*interface{}, each)
	inBss    [each]interface{}
	queue    = make(chan interface{}, each)
	table    = map[int]interface{}{}
	shared   sync.Map
	timers   []*time.Timer
	after    []*time.Timer
	closures []func() string
	failures []error
	blocked  sync.WaitGroup
	gate     = make(chan bool)
	rows     []row
)

// A row of values that may change places: its bytes, in parts of `Stride` bytes.
type row struct {
	Kind   string
	Stride uintptr
	Bytes  string
}

func tell(kind string, at unsafe.Pointer, count int, stride uintptr) {
	size := uintptr(count) * stride
	data := (*[1 << 20]byte)(at)[:size:size]
	rows = append(rows, row{kind, stride, hex.EncodeToString(data)})
}

func fill(secret []byte) {
	for i := range ints {
		s := int(secret[i%len(secret)]) + 7*i
		v := byte(s)
		ints[i], bytes[i], shorts[i], truths[i] = int(v), v, uint16(v), v%2 == 0
		runes[i] = string([]byte{v%26 + 'a'})
		smalls[i] = small(v)
		letters[i] = string([]byte{v%26 + 'A'})
		colors[i], globals[i] = chosen(s), words[s%4]
		points[i], floats[i] = boxed(s), number(s)
		pairs[i] = pair{int(v), chosen(s)}
		boxes[i] = new(interface{})
		*boxes[i] = uint64(v)
		inBss[i] = int32(v)
		queue <- int(v)
		table[i] = int(v)
		shared.Store(i, int(v))
		n := &neighbour{Pin: [4]uint64{uint64(s), uint64(s * s), uint64(s) << 20, ^uint64(s)}}
		timers = append(timers, &n.Timer)
		tell("behind a timer", unsafe.Pointer(&n.Pin), 4, 8)
		var local interface{} = uint32(v)
		closures = append(closures, func() string { return fmt.Sprint(local, colors[0]) })
		after = append(after, time.AfterFunc(time.Hour, func() { fmt.Println(local) }))
		failures = append(failures, errors.New(chosen(s)))
	}
	const word = unsafe.Sizeof(uintptr(0))
	for kind, row := range map[string][]interface{}{"int": ints, "byte": bytes, "uint16": shorts, "bool": truths, "text": points, "float": floats, "bss": inBss[:]} {
		tell(kind, unsafe.Pointer(&row[0]), each, 2*word)
	}
	tell("method", unsafe.Pointer(&smalls[0]), each, 2*word)
	tell("letter", unsafe.Pointer(&letters[0]), each, 2*word)
	tell("color", unsafe.Pointer(&colors[0]), each, 2*word)
	tell("global", unsafe.Pointer(&globals[0]), each, 2*word)
	tell("pair", unsafe.Pointer(&pairs[0]), each, 4*word)
	tell("queue", *(*unsafe.Pointer)(unsafe.Pointer(uintptr(*(*unsafe.Pointer)(unsafe.Pointer(&queue))) + 2*word)), each, 2*word)
}

//go:noinline
func park(n int) {
	var local [8]interface{}
	var texts [8]string
	for i := range local {
		local[i], texts[i] = ints[(n+i)%each], colors[(n+i)%each]
	}
	blocked.Done()
	<-gate
	fmt.Println(local, texts)
}

func main() {
	fill([]byte(os.Args[2]))
	for i := 0; i < 20; i++ {
		blocked.Add(1)
		go park(i)
	}
	blocked.Wait()
	runtime.Gosched()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	file.Close()
	json.NewEncoder(os.Stdout).Encode(rows)
	os.Stdin.Read(make([]byte, 1))
	fmt.Fprintln(os.Stderr, len(queue), len(closures), len(timers), len(after), len(failures), len(boxes), table, inBss)
}
