// Loads a plugin, whose goroutine waits for what this program never sends.
package main

import (
	"os"
	"plugin"
	"time"
)

func main() {
	loaded, err := plugin.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	start, err := loaded.Lookup("Start")
	if err != nil {
		panic(err)
	}
	start.(func(chan int))(make(chan int))
	time.Sleep(200 * time.Millisecond)
	println("ready")
	time.Sleep(time.Hour)
}
