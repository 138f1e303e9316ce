// Static data without symbols, to which variables of several packages point; writes a dump of itself and tells where
// the data of package main is.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"unsafe"
)

type item struct {
	kept *int
	name string
	next *item
}

var (
	gItem   = &item{name: "alone"}
	gChain  = &item{name: "first", next: &item{name: "second"}}
	gItems  = []*item{{name: "a"}, {name: "b"}}
	gClient = &http.Client{}
)

//go:noinline
func keep(i *item) {
	i.kept = new(int)
	*i.kept = len(i.name)
}

func main() {
	told := []string{}
	for _, i := range append(gItems, gItem, gChain, gChain.next) {
		keep(i)
		told = append(told, fmt.Sprintf("0x%x", uintptr(unsafe.Pointer(i))))
	}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	debug.WriteHeapDump(file.Fd())
	json.NewEncoder(os.Stdout).Encode(told)
	gClient.CloseIdleConnections()
}
