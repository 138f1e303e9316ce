// Writes two heap dumps, slow-1.dump and slow-2.dump, between which containers below one large place
// grow slowly, far below a 20th of it, and others stay as they are. No package of it is needed to
// read them: tests/dumps/test_growth.py knows what grew.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

type node struct {
	next *node
	pad  [88]byte
}
type server struct {
	stable map[int]*[64]byte   // 8,000 that stay
	items  []*[512]byte        // 1,000, then 10 more, with room for all
	list   *node               // 400, then 15 more of 96 bytes
	index  map[int]*[1024]byte // 100, then 4 more
	cache  sync.Map            // 50, then 50 more of 320 bytes
	queue  chan *[2048]byte    // 10, then 3 more
	later  *[48 << 10]byte     // nothing, then one
	fixed  []*[128]byte        // 100 that stay
}

var srv *server
var late []byte // nothing, then 1 MB

func grow(items, list, index, cache, queue int) {
	for i := 0; i < items; i++ {
		srv.items = append(srv.items, new([512]byte))
	}
	for i := 0; i < list; i++ {
		srv.list = &node{next: srv.list}
	}
	for i := 0; i < index; i++ {
		srv.index[len(srv.index)] = new([1024]byte)
	}
	for i := 0; i < cache; i++ {
		srv.cache.Store(new(int64), new([320]byte))
	}
	for i := 0; i < queue; i++ {
		srv.queue <- new([2048]byte)
	}
}

func dump(name string) {
	runtime.GC()
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	file.Close()
}

func main() {
	srv = &server{
		stable: map[int]*[64]byte{},
		items:  make([]*[512]byte, 0, 2000),
		index:  make(map[int]*[1024]byte, 400),
		queue:  make(chan *[2048]byte, 100),
	}
	for i := 0; i < 8000; i++ {
		srv.stable[i] = new([64]byte)
	}
	for i := 0; i < 100; i++ {
		srv.fixed = append(srv.fixed, new([128]byte))
	}
	grow(1000, 400, 100, 50, 10)
	dump("slow-1.dump")
	grow(10, 15, 4, 50, 3)
	srv.later = new([48 << 10]byte)
	late = make([]byte, 1<<20)
	dump("slow-2.dump")
	runtime.KeepAlive(srv)
}
