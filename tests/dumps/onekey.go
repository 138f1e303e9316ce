// Holds most under one key each of a map, a slice and a sync.Map, of which the others hold little; and, beside
// them, as much spread over all keys. Writes a dump of itself and tells which places hold what.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

type part struct{ Bytes [1000]byte }

type store struct {
	Name  string
	Parts []*part
	Extra map[string]*part
}

type place struct {
	Name  string
	Count int
}

var (
	gBuckets = map[string]*store{}
	gShards  []*store
	gWindow  []*store // its first elements are cut off
	gSpread  = map[string]*store{}
	gSynced  sync.Map
)

func filled(name string, parts int) *store {
	s := &store{Name: name}
	for i := 0; i < parts; i++ {
		s.Parts = append(s.Parts, &part{})
	}
	return s
}

func main() {
	for i := 0; i < 50; i++ {
		name := fmt.Sprintf("bucket-%02d", i)
		gBuckets[name] = filled(name, 0)
		gShards = append(gShards, filled(name, 0))
		gWindow = append(gWindow, filled(name, 0))
		gSpread[name] = filled(name, 40)
		gSynced.Store(name, filled(name, 0))
	}
	gBuckets["_up\"]loads"] = filled("uploads", 2000)
	gShards[17].Extra = map[string]*part{}
	for i := 0; i < 2000; i++ {
		gShards[17].Extra[fmt.Sprint(i)] = &part{}
	}
	gWindow[20] = filled("window", 2000)
	gWindow = gWindow[5:]
	gSynced.Store("_synced", filled("synced", 2000))
	runtime.GC()
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(f.Fd())
	json.NewEncoder(os.Stdout).Encode([]place{
		{`main.gBuckets["_up\"]loads"].Parts[*]`, 2000}, {`main.gShards[17].Extra[*]`, 2000}, {`main.gWindow[15].Parts[*]`, 2000},
		{`main.gSpread[*].Parts[*]`, 2000}, {`main.gSynced["_synced"].Parts[*]`, 2000},
	})
	runtime.KeepAlive(gWindow)
}
