// Cuts slices in every way, writes a dump of itself and tells which elements are outside.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

type load struct{ Bytes [2048]byte }

type item struct {
	N    int
	Load *load
	Also *load
}

type box struct{ Items []*item }

// An element that has a pointer of its own to it is in use, wherever the slice begins.
type node struct {
	Load *load
	N    int
}

var (
	gQueue  []*item // taken from its front; some are in gIndex, some share their load
	gIndex  = map[int]*item{}
	gStack  []item // emptied from its end
	gMiddle []*item
	gFirst  []*item
	gLast   []*item
	gBoxes  []*box
	gRing   []*item
	gHead   int
	gZeroed []*item
	gArena  []node
	gNodes  []*node
	gEmpty  = make([]struct{}, 5)
	gSignal = make(chan struct{}, 4)
	gPlace  = struct {
		Name  string
		Sizes [2]int
		First *item
		Last  *item
	}{Name: "place", Sizes: [2]int{3, 4}}
)

func items(n int) []*item {
	var made []*item
	for i := 0; i < n; i++ {
		made = append(made, &item{N: i, Load: new(load)})
	}
	return made
}

// Told is a place: its name, and by array the elements that no slice has.
type told struct {
	Name   string
	Arrays []cut
}

type cut struct {
	Address string
	Size    int
	Outside [][2]int
}

func cutOf(address string, size int, outside ...[2]int) cut {
	return cut{address, size, outside}
}

func build() []told {
	var all []told
	gQueue = items(500)
	for i := 0; i < 450; i += 9 {
		gIndex[i] = gQueue[i]
	}
	for i := 0; i < 20; i++ {
		gQueue[480+i].Also = gQueue[100+i].Load
		gQueue[200+i].Load = gQueue[220+i].Load
	}
	all = append(all, told{"main.gQueue", []cut{cutOf(fmt.Sprintf("%p", gQueue), 8, [2]int{0, 450})}})
	gQueue = gQueue[450:]

	for _, one := range items(400) {
		gStack = append(gStack, *one)
	}
	all = append(all, told{"main.gStack", []cut{cutOf(fmt.Sprintf("%p", gStack), 24, [2]int{100, 400})}})
	gStack = gStack[:100]

	gMiddle = items(600)
	all = append(all, told{"main.gFirst", []cut{cutOf(fmt.Sprintf("%p", gMiddle), 8, [2]int{200, 400})}})
	gFirst, gLast, gMiddle = gMiddle[:200], gMiddle[400:600], nil

	boxes := told{Name: "main.gBoxes[*].Items"}
	for i := 0; i < 50; i++ {
		one := &box{items(20)}
		boxes.Arrays = append(boxes.Arrays, cutOf(fmt.Sprintf("%p", one.Items), 8, [2]int{0, 15}))
		one.Items = one.Items[15:]
		gBoxes = append(gBoxes, one)
	}
	all = append(all, boxes)

	gRing = items(300)
	gHead = 100
	gZeroed = items(300)
	for i := 0; i < 250; i++ {
		gZeroed[0] = nil
		gZeroed = gZeroed[1:]
	}
	gArena = make([]node, 300)
	for i := 0; i < 250; i++ {
		gArena[0] = node{new(load), i}
		gNodes = append(gNodes, &gArena[0])
		gArena = gArena[1:]
	}
	return all
}

func main() {
	all := build()
	gSignal <- struct{}{}
	gSignal <- struct{}{}
	gPlace.First, gPlace.Last = gRing[0], gRing[1]
	dump, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GC()
	debug.WriteHeapDump(dump.Fd())
	json.NewEncoder(os.Stdout).Encode(all)
	runtime.KeepAlive(gHead)
}
