package main

import (
	"context"
	"io"
	"net"
	"os"
	"reflect"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"
)

var (
	never  = make(chan *kept)
	heavy  = make(chan wide)
	group  sync.WaitGroup
	lock   sync.Mutex
	shared sync.RWMutex
	cond   = sync.NewCond(&sync.Mutex{})
	pool   = sync.Pool{New: func() interface{} { return lose() }}
	table  sync.Map
	atom   atomic.Value
	timers []*time.Timer
	ticker *time.Ticker
	once   sync.Once
	pipes  []interface{}
	final  []*kept
	trees  []context.Context
)

func soon() { time.Sleep(2 * time.Millisecond) }

// Begins goroutines that say that they are ready just before they wait.
func waiting(f ...func()) {
	for i := 0; i < 3; i++ {
		for _, one := range f {
			go one()
			<-ready
			soon()
		}
	}
}

func init() {
	cases["channels"] = func() { waiting(sends, sendsWide, receives, receivesNil, buffered, ranges) }
	cases["selects"] = func() { waiting(selects, selectsMany, selectsReflected, selectsNothing, selectsSends) }
	cases["locks"] = func() {
		lock.Lock()
		shared.Lock()
		group.Add(1)
		waiting(locks, shares, conditions, groups, onces)
	}
	cases["sleeps"] = func() { waiting(sleeps, labeled, locked) }
	cases["reads"] = func() { waiting(readsPipe, accepts, readsSystem) }
	cases["timers"] = makeTimers
	cases["pools"] = makePools
	cases["finalizers"] = makeFinalizers
	cases["contexts"] = makeContexts
	cases["reflection"] = func() { waiting(reflected, madeFunction, methodByName) }
	cases["unstarted"] = makeUnstarted
	cases["maps"] = makeMaps
	cases["globals"] = makeGlobals
}

func sends()     { k := hold(); ready <- true; never <- k }
func sendsWide() { w := wide{last: hold()}; w.one[2] = hold(); ready <- true; heavy <- w }

func receives() {
	k, local := hold(), pair{one: lose()}
	ready <- true
	local.one = <-make(chan *kept)
	k.id += local.one.id
}

func receivesNil() {
	k := lose()
	k.id++
	var none chan *kept
	ready <- true
	<-none
}

func buffered() {
	c := make(chan interface{}, 3)
	c <- hold()
	c <- mixed{hidden(), hold(), "x"}
	c <- hold()
	ready <- true
	c <- hold()
}

func ranges() {
	c, k := make(chan pair, 5), hold()
	ready <- true
	for p := range c {
		k.id += p.one.id
	}
}

func selects() {
	k, c, d := hold(), make(chan *kept), make(chan pair)
	p := pair{one: hold()}
	ready <- true
	select {
	case c <- k:
	case d <- p:
	case got := <-c:
		k.id += got.id
	}
}

func selectsMany() {
	var chans [6]chan interface{}
	for i := range chans {
		chans[i] = make(chan interface{})
	}
	a, b := hold(), byValue{one: hold()}
	ready <- true
	select {
	case chans[0] <- a:
	case chans[1] <- b:
	case v := <-chans[2]:
		useAny(v)
	case v, ok := <-chans[3]:
		useAny(v)
		_ = ok
	case chans[4] <- hold():
	case <-chans[5]:
	}
}

func selectsReflected() {
	c := reflect.ValueOf(make(chan *kept))
	k := hold()
	list := []reflect.SelectCase{
		{Dir: reflect.SelectSend, Chan: c, Send: reflect.ValueOf(k)},
		{Dir: reflect.SelectRecv, Chan: c},
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(make(chan pair)), Send: reflect.ValueOf(pair{one: hold()})},
	}
	ready <- true
	reflect.Select(list)
}

func selectsNothing() {
	k := hold()
	defer func() { k.id++ }()
	ready <- true
	select {}
}

func selectsSends() {
	t := time.NewTimer(time.Hour)
	w := mixed{hidden(), hold(), "y"}
	c := make(chan mixed)
	ready <- true
	for {
		select {
		case c <- w:
		case <-t.C:
			w.one.id++
		case <-stop:
			return
		}
	}
}

func locks()  { k := hold(); ready <- true; lock.Lock(); k.id++ }
func shares() { p := pair{one: hold()}; ready <- true; shared.RLock(); read(&p) }
func groups() { k := hold(); ready <- true; group.Wait(); k.id++ }

func conditions() {
	k := hold()
	cond.L.Lock()
	ready <- true
	cond.Wait()
	k.id++
}

func onces() {
	k := hold()
	ready <- true
	once.Do(func() { <-stop; k.id++ })
	k.id++
}

func sleeps() {
	p := pair{one: hold()}
	ready <- true
	time.Sleep(time.Hour)
	read(&p)
}

func labeled() {
	k := hold()
	pprof.Do(context.Background(), pprof.Labels("one", "two"), func(context.Context) {
		ready <- true
		<-stop
		k.id++
	})
}

func locked() {
	runtime.LockOSThread()
	p := pair{one: hold()}
	ready <- true
	<-stop
	read(&p)
}

func readsPipe() {
	r, w, _ := os.Pipe()
	pipes = append(pipes, r, w)
	k := hold()
	var buffer [100]byte
	ready <- true
	n, _ := r.Read(buffer[:])
	k.id += n
}

func accepts() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	k := hold()
	ready <- true
	c, _ := l.Accept()
	io.WriteString(c, string(rune(k.id)))
}

func makeTimers() {
	for i := 0; i < 10; i++ {
		k := hold()
		timers = append(timers, time.AfterFunc(time.Hour, func() { k.id++ }))
		other := hold()
		time.AfterFunc(2*time.Hour, func() { other.id++ })
		time.AfterFunc(time.Hour, func() {}).Stop()
	}
	ticker = time.NewTicker(time.Hour)
	time.NewTimer(time.Hour)
}

func makePools() {
	for i := 0; i < 20; i++ {
		pool.Put(lose()) // two collections empty it
	}
	for i := 0; i < 50; i++ {
		table.Store(i, hold())
		table.Store(mixed{text: string(rune(i))}, pair{one: hold()})
	}
	for i := 0; i < 50; i += 2 {
		table.Load(i)
		table.Range(func(interface{}, interface{}) bool { return true })
	}
	atom.Store(pair{one: hold()})
}

func makeFinalizers() {
	for i := 0; i < 10; i++ {
		k, other := hold(), hold()
		final = append(final, k)
		runtime.SetFinalizer(k, func(*kept) { other.id++ })
		k.next = hold()
	}
	// One runs, and waits; others are queued behind it.
	for i := 0; i < 5; i++ {
		queue()
	}
	runtime.GC()
	<-ready
}

var started bool // of finalizers, which run one after the other

//go:noinline
func queue() {
	k := &kept{next: hold()}
	runtime.SetFinalizer(k, func(k *kept) {
		if !started {
			started = true
			ready <- true
		}
		<-stop
		k.next.id++
	})
}

func makeContexts() {
	root, cancel := context.WithCancel(context.Background())
	_ = cancel
	for i := 0; i < 5; i++ {
		one := context.WithValue(root, pair{}, hold())
		two, _ := context.WithTimeout(one, time.Hour)
		trees = append(trees, two)
		three, _ := context.WithCancel(two)
		begin(func() { ready <- true; <-three.Done() })
	}
}

func reflected() {
	f := func(k *kept, p pair, s ...interface{}) { park(); k.id += p.one.id + len(s) }
	reflect.ValueOf(f).Call([]reflect.Value{reflect.ValueOf(hold()), reflect.ValueOf(pair{one: hold()}), reflect.ValueOf(hold())})
}

func madeFunction() {
	k := hold()
	var f func(*kept, wide, float64) *kept
	made := reflect.MakeFunc(reflect.TypeOf(f), func(args []reflect.Value) []reflect.Value {
		park()
		k.id++
		return args[:1]
	})
	reflect.ValueOf(&f).Elem().Set(made)
	useAny2(f(hold(), wide{last: hold()}, 1.5))
}

//go:noinline
func useAny2(a interface{}) {}

type Methods struct{ k *kept }

//go:noinline
func (m Methods) Wait(p pair) { park(); m.k.id += p.one.id }

func methodByName() {
	m := reflect.ValueOf(Methods{hold()}).MethodByName("Wait")
	f := m.Interface().(func(pair))
	f(pair{one: hold()})
}

func makeUnstarted() {
	release := make(chan bool)
	var all []*kept
	for i := 0; i < 5; i++ {
		k := hold()
		all = append(all, k)
		go func() { <-release; k.id++; <-stop; k.id++ }()
	}
	soon()
}

type bigValue struct {
	pad [200]byte
	k   *kept
}

type mapKey struct {
	a, b string
	k    *kept
}

var (
	mapOfBig   = map[int]bigValue{}
	mapOfKeys  = map[mapKey]struct{}{}
	mapGrowing = map[string]*kept{}
	mapEmpty   = map[string]*kept{}
	mapOfArray = map[[20]uintptr]*kept{}
	mapOfSmall = map[uint8]*kept{}
	mapNumbers = map[uintptr]uintptr{}
)

func makeMaps() {
	for i := 0; i < 70; i++ {
		mapOfBig[i] = bigValue{k: hold()}
		mapOfKeys[mapKey{string(rune(i)), "b", hold()}] = struct{}{}
		mapGrowing[string(rune(i+1000))] = hold()
		mapOfArray[[20]uintptr{hidden(), uintptr(i)}] = hold()
		mapNumbers[hidden()] = hidden()
	}
	for i := 0; i < 7; i++ {
		mapOfSmall[uint8(i)] = hold()
	}
	for i := 0; i < 30; i++ {
		mapEmpty[string(rune(i))] = lose()
	}
	for key := range mapEmpty {
		delete(mapEmpty, key)
	}
}

var (
	globalHuge   [20000]mixed
	globalSmall  = &pair{}
	globalNested struct {
		rows [9][5]struct {
			n uintptr
			k *kept
		}
		last interface{}
	}
	globalSlices [][]*kept
	globalEnds   []interface{}
	globalHeap   *[20000]mixed
	globalLarge  []*[700]*kept
	globalNumber uintptr
)

func makeGlobals() {
	for i := 0; i < 20; i++ {
		globalHuge[i*1000] = mixed{hidden(), hold(), "z"}
		globalSlices = append(globalSlices, make([]*kept, i+1, 2*i+1))
		globalSlices[i][i/2] = hold()
	}
	globalSmall.one = hold()
	globalSmall.other = &pair{one: hold(), other: globalSmall}
	globalNested.rows[7][3].k = hold()
	globalNested.rows[7][3].n = hidden()
	globalNested.last = [3]*kept{1: hold()}
	globalHeap = new([20000]mixed)
	for i := range globalHeap {
		if i%500 == 0 {
			globalHeap[i] = mixed{hidden(), hold(), "w"}
		}
	}
	for i := 0; i < 5; i++ {
		globalLarge = append(globalLarge, new([700]*kept))
		globalLarge[i][i*100+99] = hold()
	}
	globalNumber = hidden()
	s := make([]*kept, 16)
	s[15] = hold()
	globalEnds = append(globalEnds, s[16:], s[3:4:4], &s[7])
}
