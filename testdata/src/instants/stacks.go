package main

import (
	"errors"
	"runtime"
	"sort"
	"strings"
	"unsafe"
)

type pair struct {
	number uintptr
	one    *kept
	other  *pair
}

type mixed struct {
	hidden uintptr
	one    *kept
	text   string
}

type named interface{ name(*pair) }

//go:noinline
func (p *pair) name(other *pair) { park(); runtime.KeepAlive(p); runtime.KeepAlive(other) }

type byValue struct {
	one *kept
	pad [20]uintptr
}

//go:noinline
func (b byValue) name(other *pair) { park(); runtime.KeepAlive(b.one); runtime.KeepAlive(other) }

//go:noinline
func use(p *pair) { park(); runtime.KeepAlive(p) }

//go:noinline
func useMixed(m *mixed) { park(); runtime.KeepAlive(m) }

//go:noinline
func useAny(a interface{}) { park(); runtime.KeepAlive(a) }

//go:noinline
func call(f func() int) int { park(); return f() }

func hidden() uintptr { return uintptr(unsafe.Pointer(lose())) }

func each(f ...func()) {
	for i := 0; i < 3; i++ {
		for _, one := range f {
			begin(one)
		}
	}
}

func init() {
	cases["defers"] = func() { each(loopDefers, openDefers, conditionalDefers, func() { results() }) }
	cases["panics"] = func() { each(panicking, panickingTwice, recovered, exiting) }
	cases["closures"] = func() { each(byReference, byCopy, nested, methodValue, methodExpression) }
	cases["arrays"] = func() { each(bigBytes, pointerArray, hugeArray, nestedArrays, interiorOfArray) }
	cases["interfaces"] = func() { each(emptyInterface, stackInInterface, receiver, valueReceiver, switched) }
	cases["recursion"] = func() { each(func() { deep(300, nil) }, func() { deepLinked(2000, &pair{}) }, grown) }
	cases["arguments"] = func() { each(byWords, byStack, ofGo, bigStruct) }
	cases["callbacks"] = func() { each(sorting, mapping, ranging, iterating) }
	cases["dead"] = func() { each(over, overwritten, scoped, numbers) }
}

func loopDefers() {
	for i := 0; i < 5; i++ {
		k := hold()
		defer func() { k.id++ }()
	}
	park()
}

func openDefers() {
	a, b := hold(), pair{one: hold()}
	defer func() { a.id++ }()
	defer b.name(nil)
	park()
}

func conditionalDefers() {
	a, b := hold(), lose()
	if len(lines) > 0 {
		defer func() { a.id++ }()
	}
	if len(lines) < 0 {
		defer func() { b.id++ }()
	}
	park()
}

//go:noinline
func results() (k *kept, err error) {
	k = hold()
	defer func() {
		if err == nil {
			k.id++
		}
	}()
	park()
	return
}

type failure struct {
	k    *kept
	text string
}

func (f *failure) Error() string { return f.text }

func panicking() {
	k := hold()
	defer func() {
		park()
		recover()
		k.id++
	}()
	panic(&failure{hold(), "x"})
}

func panickingTwice() {
	k := hold()
	defer func() {
		park()
		recover()
		k.id++
	}()
	defer func() { panic(&failure{hold(), "second"}) }()
	panic(&failure{hold(), "first"})
}

func recovered() {
	k := hold()
	func() {
		defer func() { recover() }()
		panic(errors.New("gone"))
	}()
	park()
	runtime.KeepAlive(k)
}

func exiting() {
	k := hold()
	local := pair{one: hold()}
	defer func() {
		park()
		k.id++
		local.one.id++
	}()
	runtime.Goexit()
}

func byReference() {
	k, count := hold(), pair{one: hold()}
	call(func() int { k = k.next; count.number++; return count.one.id })
	runtime.KeepAlive(k)
}

func byCopy() {
	k, n := hold(), 7
	call(func() int { return k.id + n })
}

func nested() {
	k := hold()
	f := func() int {
		local := pair{one: k}
		return call(func() int {
			g := func() int { return local.one.id }
			return g() + g()
		})
	}
	call(f)
}

//go:noinline
func (k *kept) number() int { return k.id }

func methodValue()      { call(hold().number) }
func methodExpression() { f := (*kept).number; k := hold(); call(func() int { return f(k) }) }

func bigBytes() {
	var buffer [48 << 10]byte
	m := mixed{hidden: hidden(), one: hold(), text: strings.Repeat("x", 50)}
	buffer[7] = 1
	touch(buffer[:])
	useMixed(&m)
	touch(buffer[:])
}

//go:noinline
func touch(b []byte) { b[len(b)/2]++ }

func pointerArray() {
	var held [1000]*kept
	for i := range held {
		if i%100 == 0 {
			held[i] = hold()
		}
	}
	useArray(&held)
}

//go:noinline
func useArray(a *[1000]*kept) { park(); runtime.KeepAlive(a) }

// More words than masks are made for.
func hugeArray() {
	var held [9000]mixed
	for i := range held {
		if i%1000 == 0 {
			held[i] = mixed{hidden(), hold(), ""}
		}
	}
	useHuge(&held)
}

//go:noinline
func useHuge(a *[9000]mixed) { park(); runtime.KeepAlive(a) }

func nestedArrays() {
	var held [5]struct {
		rows [7]mixed
		n    [3]uintptr
	}
	for i := range held {
		held[i].rows[6-i] = mixed{hidden(), hold(), "s"}
		held[i].n[1] = hidden()
	}
	useAny(len(held[2].rows))
	middle(&held[3].rows[2].one)
	runtime.KeepAlive(&held)
}

//go:noinline
func middle(k **kept) { park(); runtime.KeepAlive(k) }

func interiorOfArray() {
	var held [9]*kept
	held[7] = hold()
	middle(&held[3])
	runtime.KeepAlive(&held)
}

func emptyInterface() {
	var a interface{} = mixed{hidden(), hold(), "x"}
	useAny(a)
}

func stackInInterface() {
	inner := pair{one: hold()}
	outer := pair{other: &inner}
	var a interface{} = &outer
	useAny(a)
}

func receiver() {
	other := pair{one: hold()}
	var n named = &pair{other: &other}
	n.name(nil)
}

func valueReceiver() {
	var n named = byValue{one: hold()}
	n.name(&pair{one: hold()})
}

func switched() {
	var a interface{} = hold()
	switch v := a.(type) {
	case *kept:
		park()
		v.id++
	case error:
		useAny(v)
	}
}

//go:noinline
func deep(n int, k *kept) int {
	if n == 0 {
		park()
		return 0
	}
	mine := k
	if n%50 == 0 {
		mine = hold()
	}
	got := deep(n-1, mine)
	if mine != nil {
		got += mine.id
	}
	return got
}

// Each frame's variable leads to that of the frame before.
//
//go:noinline
func deepLinked(n int, before *pair) uintptr {
	local := pair{number: uintptr(n), other: before}
	if n%400 == 7 {
		local.one = hold()
	}
	if n == 0 {
		park()
		return before.number
	}
	return deepLinked(n-1, &local) + local.number
}

func grown() {
	local := pair{one: hold()}
	deeper(&local, 200)
	use(&local)
}

//go:noinline
func deeper(p *pair, n int) {
	var pad [100]uintptr
	if n > 0 {
		pad[n%100] = 1
		deeper(p, n-1)
	}
	p.number += pad[n%100]
}

func byWords() { words(hold(), 1, hold(), 2.5, "text", []*kept{hold()}, hold()) }

//go:noinline
func words(a *kept, n int, b *kept, f float64, s string, c []*kept, d *kept) {
	park()
	a.id += b.id + n + len(s) + len(c) + d.id
}

func byStack() {
	byMany(hold(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, hold(), hold())
	byBig(byValue{one: hold()}, [4]*kept{nil, hold()})
}

//go:noinline
func byMany(a *kept, b, c, d, e, f, g, h, i, j, k, l int, m, n *kept) {
	park()
	a.id += b + c + d + e + f + g + h + i + j + k + l + m.id + n.id
}

//go:noinline
func byBig(b byValue, a [4]*kept) { runtime.KeepAlive(b.one); runtime.KeepAlive(a) }

func ofGo() {
	a, b := hold(), hold()
	go func(a *kept, n int, b *kept) { park(); a.id += n + b.id }(a, 5, b)
	<-ready
	park()
}

type wide struct {
	one  [3]*kept
	name string
	pad  [30]int
	last *kept
}

func bigStruct() { takesWide(wide{one: [3]*kept{nil, hold()}, last: hold()}, hold()) }

//go:noinline
func takesWide(w wide, k *kept) wide { park(); k.id++; w.last.id++; w.one[1].id++; return w }

func sorting() {
	items, parked := []*kept{hold(), hold(), hold()}, false
	sort.Slice(items, func(i, j int) bool {
		if !parked {
			parked = true
			park()
		}
		return items[i].id < items[j].id
	})
}

func mapping() {
	k, parked := hold(), false
	strings.Map(func(r rune) rune {
		if !parked {
			parked = true
			park()
		}
		return r + rune(k.id)
	}, "abc")
}

func ranging() {
	m := map[string]*kept{"a": hold(), "b": hold()}
	for key, k := range m {
		park()
		k.id += len(key)
	}
}

func iterating() {
	var rows [3]map[int]*kept
	for i := range rows {
		rows[i] = map[int]*kept{}
		for n := 0; n < 30; n++ {
			rows[i][n] = hold()
		}
	}
	for _, m := range rows {
		for _, k := range m {
			for _, other := range rows[2] {
				park()
				k.id += other.id
			}
		}
	}
}

func over() {
	p := pair{one: lose()}
	read(&p)
	park()
}

//go:noinline
func read(p *pair) { p.number += uintptr(p.one.id) }

func overwritten() {
	p := pair{one: lose()}
	read(&p)
	p.one = hold()
	use(&p)
}

func scoped() {
	{
		k := lose()
		k.id++
	}
	k := hold()
	park()
	k.id++
}

func numbers() {
	n := hidden()
	m := mixed{hidden: hidden(), one: hold()}
	useMixed(&m)
	runtime.KeepAlive(n)
}
