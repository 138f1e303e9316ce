// Maps whose entries hold different amounts, and one with keys that a name must escape. Writes a dump of itself, and
// tells the keys as %q writes them.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

type part struct{ Data [200]byte }
type meta struct{ Parts []*part }
type bucket struct {
	Meta *meta
	Rest []*part
}
type odd struct{ Data [300]byte }
type pair struct {
	Name string
	N    int
}

var (
	gBuckets = map[string]*bucket{}
	gLists   = map[string][]*part{}
	gShared  = map[string][]*odd{}
	gSecond  = map[string][]*odd{}
	gOdd     = map[string]*odd{}
	gSingle  = map[string]int{}
	gPair    = map[pair]bool{}
	gPointer = map[*odd]bool{{}: true}
	gMaps    = map[int]map[string]int{}
)

var keys = []string{"a\"b", "tab\there", "new\nline", "es\x1b[31m", "bad\xffutf", "back\\slash", "ünï", "]x", "a]\"b",
	"nul\x00l", "zero\u200bwidth", "bell\a\b\v\f", "high\U000e0001", "key with = and type=T", "\\\"", "[*]"}

func main() {
	for i := 0; i < 100; i++ {
		name := fmt.Sprintf("bucket-%02d", i)
		gBuckets[name] = &bucket{Meta: &meta{Parts: []*part{{}, {}}}}
		gLists[name] = nil
		gShared[name], gSecond[name] = nil, nil
	}
	for i := 0; i < 5000; i++ {
		gBuckets["bucket-37"].Rest = append(gBuckets["bucket-37"].Rest, &part{})
		gLists["bucket-41"] = append(gLists["bucket-41"], &part{})
	}
	for i := 0; i < 700; i++ {
		item := &odd{}
		gShared["bucket-53"] = append(gShared["bucket-53"], item)
		gSecond["bucket-53"] = append(gSecond["bucket-53"], item)
	}
	gSingle[fmt.Sprintf("single, %080d", 1)] = 1
	gPair[pair{fmt.Sprintf("pair, %020d", 2), 3}] = true
	for i := 0; i < 2; i++ {
		gMaps[i] = map[string]int{}
		for j := 0; j < 1+i*49; j++ {
			gMaps[i][fmt.Sprintf("inner, %d, %080d", i, j)] = j
		}
	}
	told := map[string]string{}
	for i, key := range keys {
		gOdd[key] = &odd{}
		told[fmt.Sprint(i)] = fmt.Sprintf("%q", key)
	}
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	runtime.KeepAlive(gBuckets)
	runtime.KeepAlive(gLists)
	runtime.KeepAlive(gShared)
	runtime.KeepAlive(gSecond)
	runtime.KeepAlive(gOdd)
	runtime.KeepAlive(gSingle)
	runtime.KeepAlive(gPair)
	runtime.KeepAlive(gPointer)
	runtime.KeepAlive(gMaps)
	json.NewEncoder(os.Stdout).Encode(told)
}
