// A program that is never the same for long: what it does is said by RESTLESS. It writes a line when it
// has begun, and ends at the end of its input.
package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

var kept [][]int

func main() {
	how, _ := syscall.Getenv("RESTLESS")
	for i := 0; i < 200; i++ {
		kept = append(kept, make([]int, i))
	}
	for i := 0; i < 8; i++ {
		go sleep()
	}
	switch how {
	case "exec":
		go begin(how)
	case "fork":
		go makeProcesses()
	case "threads":
		go makeThreads()
	case "exit":
		time.Sleep(5 * time.Millisecond)
		return
	case "kill", "errno", "log":
		filter(how)
	case "memory":
		mapMemory()
	case "path":
		mapPath()
	case "huge":
		mapHuge()
	case "read":
		readPath()
	case "vfork":
		go vforks(time.Hour)
	case "vforks":
		go vforks(60 * time.Millisecond)
	case "userfault":
		userfault()
	case "ring":
		ring()
	case "wait":
		waitForAny()
	}
	syscall.Write(1, []byte("begun\n"))
	syscall.Read(0, make([]byte, 1))
}

func sleep() {
	runtime.LockOSThread()
	for {
		time.Sleep(50 * time.Millisecond)
	}
}

// Another program takes its place, which is itself.
func begin(how string) {
	runtime.LockOSThread()
	time.Sleep(10 * time.Millisecond)
	syscall.Exec("/proc/self/exe", []string{"restless"}, []string{"RESTLESS=" + how})
}

func makeProcesses() {
	attr := &syscall.ProcAttr{Env: []string{"RESTLESS=exit"}, Files: []uintptr{0, 2, 2}}
	for {
		pid, err := syscall.ForkExec("/proc/self/exe", []string{"restless"}, attr)
		if err != nil {
			panic(err)
		}
		syscall.Wait4(pid, nil, 0, nil)
	}
}

// A thread that a goroutine ends with has ended; what it had is reused after a collection.
func makeThreads() {
	for round := 0; ; round++ {
		if round%40 == 0 {
			runtime.GC()
		}
		for i := 0; i < 10; i++ {
			go func() {
				runtime.LockOSThread()
				keep := make([]int, 100)
				runtime.KeepAlive(keep)
			}()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

type instruction struct {
	code   uint16
	jt, jf uint8
	k      uint32
}

// A filter of system calls: it ends the process for one that makes another, or refuses that.
func filter(how string) {
	action := map[string]uint32{"kill": 0x80000000, "errno": 0x00050001, "log": 0x7ffc0000}[how]
	code := []instruction{
		{0x20, 0, 0, 0},       // the number of the call
		{0x15, 0, 3, 56},      // clone?
		{0x20, 0, 0, 16},      // its flags
		{0x45, 1, 0, 0x10000}, // a thread?
		{0x06, 0, 0, action},
		{0x06, 0, 0, 0x7fff0000},
	}
	program := struct {
		count uint16
		code  *instruction
	}{uint16(len(code)), &code[0]}
	syscall.RawSyscall6(syscall.SYS_PRCTL, 38, 1, 0, 0, 0, 0)
	if _, _, errno := syscall.RawSyscall(317, 1, 1, uintptr(unsafe.Pointer(&program))); errno != 0 {
		panic(errno)
	}
}
