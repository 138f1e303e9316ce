// Keeps maps of package sync in every state, writes a dump of itself and tells what is in them.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

type item struct {
	N    int
	Next *item
}

type holder struct {
	Name  string
	Cache sync.Map
	After *item
}

var (
	gRead    sync.Map  // all is in the part that is read without a lock
	gNew     sync.Map  // nothing is there yet
	gBoth    sync.Map  // some is there, some was stored since, some deleted before and after
	gMany    sync.Map  // several levels of a trie
	gEmptied sync.Map  // had an entry
	gEmpty   sync.Map  // never had one
	gHeap    *sync.Map // is an object of its own
	gHolder  *holder
)

func store(m *sync.Map, from, to int) {
	for i := from; i < to; i++ {
		m.Store(fmt.Sprintf("key-%03d", i), &item{N: i})
	}
}

// From Go 1.23 down what was stored moves to the part that is read without a lock.
func settle(m *sync.Map) {
	m.Range(func(any, any) bool { return true })
}

func build() {
	store(&gRead, 0, 3)
	settle(&gRead)
	store(&gNew, 0, 2)
	store(&gBoth, 0, 6)
	settle(&gBoth)
	gBoth.Delete("key-001")
	store(&gBoth, 6, 9)
	gBoth.Delete("key-002")
	gBoth.Delete("key-007")
	store(&gMany, 0, 1000)
	store(&gEmptied, 0, 1)
	settle(&gEmptied)
	gEmptied.Delete("key-000")
	gHeap = new(sync.Map)
	store(gHeap, 0, 5)
	gHolder = &holder{Name: "holder", After: &item{N: -1}}
	store(&gHolder.Cache, 0, 4)
	settle(&gHolder.Cache)
	store(&gHolder.Cache, 4, 6)
}

// Key -> address of the value.
func entries(m *sync.Map) map[string]string {
	found := map[string]string{}
	m.Range(func(key, value any) bool {
		found[key.(string)] = fmt.Sprintf("%p", value.(*item))
		return true
	})
	return found
}

func main() {
	build()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"gRead": entries(&gRead), "gNew": entries(&gNew), "gBoth": entries(&gBoth),
		"gMany": entries(&gMany), "gEmptied": entries(&gEmptied), "gEmpty": entries(&gEmpty),
		"gHeap": entries(gHeap), "Cache": entries(&gHolder.Cache),
		"heap": fmt.Sprintf("%p", gHeap), "holder": fmt.Sprintf("%p", gHolder),
	})
}
