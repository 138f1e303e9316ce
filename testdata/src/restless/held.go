// What the process holds, or waits for: kinds of memory that a reader of it may enlarge, and waits that no
// reader can interrupt. RESTLESS_FILE is a path for those that need one.
package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

const sparse = 256 << 20

var memory []byte

// A private, writable mapping of a sparse file, of which one page has been written.
func mapFile(fd int) {
	must(syscall.Ftruncate(fd, sparse))
	var err error
	memory, err = syscall.Mmap(fd, 0, sparse, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	must(err)
	memory[0] = 1
}

func mapMemory() {
	name := []byte("sparse\x00")
	fd, _, errno := syscall.RawSyscall(319, uintptr(unsafe.Pointer(&name[0])), 0, 0)
	mustNo(errno)
	mapFile(int(fd))
}

func mapPath() {
	path, _ := syscall.Getenv("RESTLESS_FILE")
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT, 0600)
	must(err)
	mapFile(fd)
}

func mapHuge() {
	var err error
	memory, err = syscall.Mmap(-1, 0, 32<<20, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_HUGETLB|syscall.MAP_NORESERVE)
	must(err)
	memory[0] = 1
}

// A thread reads what nobody sends: RESTLESS_FILE is on a file system that does not answer.
func readPath() {
	path, _ := syscall.Getenv("RESTLESS_FILE")
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	must(err)
	go syscall.Read(fd, make([]byte, 1))
}

//go:linkname entersyscall runtime.entersyscall
func entersyscall()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

func vfork(span *[2]int64) int

//go:nosplit
func waitForVfork(span *[2]int64) int {
	entersyscall()
	pid := vfork(span)
	exitsyscall()
	return pid
}

// A thread waits in vfork: `for` the first time, and not for a moment between.
func vforks(wait time.Duration) {
	runtime.LockOSThread()
	span := [2]int64{int64(wait / time.Second), int64(wait % time.Second)}
	for {
		pid := waitForVfork(&span)
		syscall.Wait4(pid, nil, 0, nil)
		time.Sleep(20 * time.Millisecond)
	}
}

// A child has the userfaultfd of part of the memory, is to be told of forks, and never looks.
func userfault() {
	fd, _, errno := syscall.RawSyscall(323, 0, 0, 0)
	mustNo(errno)
	api := [3]uint64{0xaa, 1 << 1, 0}
	_, _, errno = syscall.RawSyscall(syscall.SYS_IOCTL, fd, 0xc018aa3f, uintptr(unsafe.Pointer(&api)))
	mustNo(errno)
	var err error
	memory, err = syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	must(err)
	register := [4]uint64{uint64(uintptr(unsafe.Pointer(&memory[0]))), 1 << 20, 1, 0}
	_, _, errno = syscall.RawSyscall(syscall.SYS_IOCTL, fd, 0xc020aa00, uintptr(unsafe.Pointer(&register)))
	mustNo(errno)
	startQuiet(fd)
	syscall.Close(int(fd))
}

func startQuiet(files ...uintptr) {
	_, err := syscall.ForkExec("/proc/self/exe", []string{"restless"}, &syscall.ProcAttr{
		Env: []string{"RESTLESS=quiet"}, Files: append([]uintptr{0, 2, 2}, files...)})
	must(err)
}

// The kernel makes a thread in the process, which nobody can stop: it looks for what io_uring is to do.
func ring() {
	var parameters [30]uint32
	parameters[2], parameters[4] = 2, 600000
	_, _, errno := syscall.RawSyscall(425, 4, uintptr(unsafe.Pointer(&parameters)), 0)
	mustNo(errno)
}

// A thread waits for any child, also for those that end without SIGCHLD.
func waitForAny() {
	startQuiet()
	go syscall.Wait4(-1, nil, syscall.WALL, nil)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func mustNo(errno syscall.Errno) {
	if errno != 0 {
		panic(errno)
	}
}
