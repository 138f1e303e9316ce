// What holds much in ways that are easily told wrong: lines of an editor with a text and a map each,
// maps and pools of package sync inside of objects, a cache of weak pointers whose objects are gone,
// a queue that was cut at its front, a thousand timers, a registry of another package that leads to the program's own server.
// Writes a dump, and prints what it has built.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	"weak"
)

type group uint8

type line struct {
	Text  []byte
	Match map[int]group
	Dirty bool
}

type buffer struct{ Lines []line }

type session struct {
	Name string
	Body [200]byte
}

type scratch struct{ B [1000]byte }

type page struct{ B [400]byte }

type server struct {
	ByID    sync.Map // in the object
	ByName  *sync.Map
	Pool    sync.Pool
	Scratch *sync.Pool
	Note    string
}

type app struct{ Server *server }

// A flag's value: package flag keeps it, and all below it.
type settings struct{ Tenants []*tenant }

func (s *settings) String() string   { return "" }
func (s *settings) Set(string) error { return nil }

type tenant struct{ Body [1200]byte }

type event struct{ Body [1000]byte }

// Is taken from its front; all that was in it stays.
type queue struct{ Events []*event }

type cache struct {
	ByID map[int]weak.Pointer[page]
	All  []weak.Pointer[page]
}

var (
	gBuffer *buffer
	gApp    *app
	gCache  *cache
	gQueue  *queue
	gLive   []*page
	gTimers int
)

const (
	lines, byID, byName, pooled, scratched = 400, 150, 250, 40, 60
	pages, live, timers, tenants           = 300, 3, 1200, 100
	events, queued                         = 200, 20
)

func build() {
	gBuffer = &buffer{}
	for i := 0; i < lines; i++ {
		match := map[int]group{}
		for k := 0; k < 5; k++ {
			match[k*7] = group(k)
		}
		gBuffer.Lines = append(gBuffer.Lines, line{Text: make([]byte, 640), Match: match})
	}
	s := &server{ByName: new(sync.Map), Scratch: new(sync.Pool)}
	gApp = &app{s}
	for i := 0; i < byName; i++ {
		one := &session{Name: fmt.Sprintf("session-%04d", i)}
		s.ByName.Store(one.Name, one)
	}
	for i := 0; i < byID; i++ {
		s.ByID.Store(i, new(session))
	}
	gQueue = new(queue)
	for i := 0; i < events; i++ {
		gQueue.Events = append(gQueue.Events, new(event))
	}
	gQueue.Events = gQueue.Events[events-queued:]
	gCache = &cache{ByID: map[int]weak.Pointer[page]{}}
	for i := 0; i < pages; i++ {
		p := new(page)
		gCache.ByID[i] = weak.Make(p)
		gCache.All = append(gCache.All, weak.Make(p))
		if i%(pages/live) == 0 {
			gLive = append(gLive, p)
		}
	}
	for i := 0; i < timers; i++ {
		time.AfterFunc(time.Hour, func() { gTimers++ })
	}
	values := &settings{}
	for i := 0; i < tenants; i++ {
		values.Tenants = append(values.Tenants, new(tenant))
	}
	flag.CommandLine.Var(values, "tenants", "")
}

func main() {
	build()
	runtime.GC()
	runtime.GC()
	s := gApp.Server
	for i := 0; i < pooled; i++ {
		s.Pool.Put(new(scratch))
	}
	for i := 0; i < scratched; i++ {
		s.Scratch.Put(new(scratch))
	}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	dead := 0
	for _, one := range gCache.All {
		if one.Value() == nil {
			dead++
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"lines": lines, "texts": lines * 640, "by_id": byID, "by_name": byName, "pooled": pooled,
		"scratched": scratched, "weak": pages, "dead": dead, "timers": timers, "tenants": tenants,
		"events": events, "queued": queued,
		"server": fmt.Sprintf("%p", s), "settings": fmt.Sprintf("%p", flag.Lookup("tenants").Value),
	})
	runtime.KeepAlive(gLive)
}
