// A plugin whose variables the test knows.
package main

import (
	"fmt"
	"reflect"
	"strings"

	"example.org/plugins/shared"
)

type SessionOne struct {
	ID    int
	Items []*Item
	Any   any
}

type Item struct {
	Key [40]byte
	Big [900]byte
	Val *int
}

var (
	Sessions = map[int]*SessionOne{}
	Queue    []*SessionOne
	Table    [4]*Item
	Static   = &SessionOne{ID: 7}
	Number   = 42
	Total    int
	Any      any
	Text     = "a text"
)

//go:noinline
func waitOne(c chan int, mine *SessionOne) {
	<-c
	Total = mine.ID
}

// Fill makes fifty sessions, a hundred items, and a goroutine that waits for ever.
func Fill() {
	for i := 0; i < 50; i++ {
		s := &SessionOne{ID: i, Any: new(Item)}
		s.Items = append(s.Items, &Item{Val: &s.ID})
		Sessions[i] = s
		Queue = append(Queue, s)
	}
	Table[3] = new(Item)
	Any = Queue[0]
	Total = 50
	shared.Add("one")
	go waitOne(make(chan int), Queue[1])
}

// Truth tells address, type and name of each variable.
func Truth() string {
	var out strings.Builder
	all := map[string]any{"Sessions": &Sessions, "Queue": &Queue, "Table": &Table, "Static": &Static, "Number": &Number,
		"Total": &Total, "Any": &Any, "Text": &Text}
	path := reflect.TypeOf(SessionOne{}).PkgPath() + "."
	for name, at := range all {
		kind := strings.ReplaceAll(reflect.TypeOf(at).Elem().String(), "main.", path)
		fmt.Fprintf(&out, "%p\t%s\t%s\n", at, kind, path+name)
	}
	fmt.Fprintf(&out, "%p\t*example.org/plugins/shared.Record\texample.org/plugins/shared.Last\n", &shared.Last)
	return out.String()
}

func main() {}
