// A plugin with a hundred objects of 5,000 bytes in a variable of its own.
package main

var kept []*[5000]byte

func Start(c chan int) {
	for i := 0; i < 100; i++ {
		kept = append(kept, new([5000]byte))
	}
	go func() { kept = kept[:<-c] }()
}

func main() {}
