// A program with 20,000 blocks of 1,000 bytes that C has from malloc, and 3 of 4 MB.
package main

/*
#include <stdlib.h>
#include <string.h>

static void *fill(void)
{
	void *block = NULL;
	for (int i = 0; i < 20000; i++)
		memset(block = malloc(1000), i, 1000);
	for (int i = 0; i < 3; i++)
		memset(malloc(4 << 20), i, 4 << 20);
	return block;
}
*/
import "C"

import (
	"bufio"
	"fmt"
	"os"
	"unsafe"
)

var block unsafe.Pointer

func main() {
	block = C.fill()
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadByte()
}
