// Allocates values of generic types in generic code, writes a dump of itself and tells where they are.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"
)

type id struct{ tenant, n int }
type number int
type user struct{ name string }
type order struct{ total int }

// One instance each: code for the underlying type of id, for pointers, for int.
type cache[K comparable, V any] struct {
	m     map[K]*node[K, V]
	room  [80]int
	first *node[K, V]
}
type node[K comparable, V any] struct {
	key  K
	val  V
	room [70]int
	next *node[K, V]
}
type box[T any] struct {
	of   T
	room [90]int
	self *box[T]
}

// Two instances share their code: nothing tells which one an object is.
type list[T any] struct {
	of   []T
	room [85]int
}

//go:noinline
func newCache[K comparable, V any](k K, v V) *cache[K, V] {
	n := &node[K, V]{key: k, val: v}
	return &cache[K, V]{m: map[K]*node[K, V]{k: n}, first: n}
}

//go:noinline
func newBox[T any](of T) *box[T] {
	b := &box[T]{of: of}
	b.self = b
	return b
}

//go:noinline
func newList[T any](of T) *list[T] { return &list[T]{of: []T{of}} }

var (
	gQuotas = newCache(id{1, 2}, [4]int64{3})
	gNumber = newBox(number(3))
	gUser   = newBox(&user{"a"})
	gUsers  = newList(&user{"b"})
	gOrders = newList(&order{3})
)

func at(p unsafe.Pointer) string { return fmt.Sprintf("0x%x", uintptr(p)) }

func main() {
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	json.NewEncoder(os.Stdout).Encode(map[string]map[string]string{
		"one": {
			at(unsafe.Pointer(gQuotas)):       "main.cache[main.id,[4]int64]",
			at(unsafe.Pointer(gQuotas.first)): "main.node[main.id,[4]int64]",
			at(unsafe.Pointer(gNumber)):       "main.box[main.number]",
			at(unsafe.Pointer(gUser)):         "main.box[*main.user]",
		},
		"several": {
			at(unsafe.Pointer(gUsers)):  "main.list[*main.user]",
			at(unsafe.Pointer(gOrders)): "main.list[*main.order]",
		},
	})
}
