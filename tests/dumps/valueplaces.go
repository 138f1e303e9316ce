// Has values of a type in every place, writes a dump of itself and tells what they are.
package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
)

type mark struct {
	Name string
	N    int
}

type place struct {
	At    mark
	Other [2]mark
}

var (
	gOne    mark
	gPlace  place
	gGrid   [2][3]mark
	gTable  = []mark{{"static", 1}, {"static", 2}, {"static", 3}}
	gBack   = []mark{{"back", 4}, {"back", 5}, {"back", 6}}
	gStatic = &mark{"pointed to", 7}
	gNested = &place{At: mark{"nested", 8}, Other: [2]mark{{"nested", 9}, {"nested", 10}}}
	gNoData [4]int64 // without pointers: a heap dump lacks it

	gSlice   []mark
	gMap     map[int]mark
	gChan    chan mark
	gPointer *mark
	gAny     any

	gWhole    *[4]mark
	gAnyWhole any
	gRows     [][4]mark
	gWide     *[2][4]mark
	gMapWhole map[int][4]mark
	gPart     *[4]mark
	gLoose    []mark
	gFour     [4]mark
	gOdd      *[3]uint64 // in a slot for four
	gOddSlice []uint64
)

var next = 100

func one() mark {
	next++
	return mark{"made", next}
}

func four() [4]mark {
	return [4]mark{one(), one(), one(), one()}
}

func fill(marks []mark) []int {
	var told []int
	for i := range marks {
		marks[i] = one()
		told = append(told, marks[i].N)
	}
	return told
}

//go:noinline
func build() map[string][]int {
	all := []int{1, 2, 3, 4, 5, 7, 8, 9, 10}
	var arrays []int
	gBack = gBack[:2]
	gOne = one()
	all = append(all, gOne.N)
	gPlace.At = one()
	all = append(all, gPlace.At.N)
	all = append(all, fill(gPlace.Other[:])...)
	for i := range gGrid {
		all = append(all, fill(gGrid[i][:])...)
	}
	gSlice = make([]mark, 10)
	all = append(all, fill(gSlice)[:7]...)
	gSlice = gSlice[:7]
	gMap = map[int]mark{}
	gChan = make(chan mark, 8)
	for i := 0; i < 5; i++ {
		gMap[i] = one()
		all = append(all, gMap[i].N, next+1)
		gChan <- one()
	}
	gPointer = new(mark)
	*gPointer = one()
	inside := one()
	gAny = inside
	all = append(all, gPointer.N, inside.N)

	whole := func(marks *[4]mark) {
		for _, m := range marks {
			all = append(all, m.N)
		}
		arrays = append(arrays, marks[0].N)
	}
	made := four()
	gWhole = new([4]mark)
	*gWhole = made
	whole(gWhole)
	boxed := four()
	gAnyWhole = boxed
	whole(&boxed)
	for i := 0; i < 3; i++ {
		gRows = append(gRows, four())
		whole(&gRows[i])
	}
	gWide = new([2][4]mark)
	for i := range gWide {
		gWide[i] = four()
		whole(&gWide[i])
	}
	gPart = &gWide[1]
	gMapWhole = map[int][4]mark{}
	for i := 0; i < 3; i++ {
		made := four()
		gMapWhole[i] = made
		whole(&made)
	}
	gFour = four()
	whole(&gFour)
	gLoose = make([]mark, 4)
	all = append(all, fill(gLoose)...)
	gOdd = &[3]uint64{11, 12, 13}
	gOddSlice = make([]uint64, 3)
	return map[string][]int{"main.mark": all, "[4]main.mark": arrays}
}

func main() {
	told := build()
	dump, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GC()
	debug.WriteHeapDump(dump.Fd())
	json.NewEncoder(os.Stdout).Encode(told)
	runtime.KeepAlive([]any{gTable, gStatic, gNested, gNoData})
}
