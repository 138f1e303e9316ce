package main

import "syscall"

func readsSystem() {
	var p [2]int
	syscall.Pipe(p[:])
	k := pair{one: hold()}
	var buffer [64]byte
	ready <- true
	n, _ := syscall.Read(p[0], buffer[:])
	k.number += uintptr(n)
	read(&k)
}
