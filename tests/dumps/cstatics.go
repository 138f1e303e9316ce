// A program with variables of C, its own and those of the library that cstatics.c makes, which are all written.
package main

/*
#include <string.h>

void library_fill(void);
char own_one[1 << 10], own_four[4 << 10], own_large[6 << 20], own_ready[100 << 10] = {1};
static char own_hidden[3 << 20];

static void fill(void)
{
	library_fill();
	memset(own_one, 1, sizeof own_one);
	memset(own_four, 1, sizeof own_four);
	memset(own_large, 1, sizeof own_large);
	memset(own_ready, 1, sizeof own_ready);
	memset(own_hidden, 1, sizeof own_hidden);
}
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

var large = unsafe.Pointer(&C.own_large)

func main() {
	C.fill()
	fmt.Println("ready")
	os.Stdin.Read(make([]byte, 1))
}
