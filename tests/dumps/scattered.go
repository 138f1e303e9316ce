// A program in whose way something is mapped right behind the heap of malloc, so that it cannot grow: the main arena
// maps more memory elsewhere. It tells what mallinfo2 says of it, and again for each byte that it reads.
package main

/*
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 20000, SIZE = 1000 };
static void *blocks[COUNT];

__attribute__((constructor)) static void wall(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MXFAST, 0);
	const char *wall = getenv("WALL");
	if (wall && strcmp(wall, "later") == 0)
		blocks[0] = malloc(1);
	if (wall)
		mmap(sbrk(0), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void *fill(void)
{
	for (int i = 1; i < COUNT; i++)
		memset(blocks[i] = malloc(SIZE), i, SIZE);
	for (int i = 3; i < COUNT; i += 3) {
		free(blocks[i]);
		blocks[i] = NULL;
	}
	return blocks[1];
}

static void tell(void)
{
	static char line[200];
	setvbuf(stdout, NULL, _IONBF, 0);
	struct mallinfo2 info = mallinfo2();
	int size = snprintf(line, sizeof line, "{\"arena\": %zu, \"used\": %zu, \"free\": %zu, \"mapped\": %zu}\n",
	                    info.arena, info.uordblks, info.fordblks, info.hblkhd);
	write(1, line, size);
}
*/
import "C"

import (
	"bufio"
	"os"
	"unsafe"
)

var block unsafe.Pointer

func main() {
	block = C.fill()
	for asks := bufio.NewReader(os.Stdin); ; {
		C.tell()
		if _, err := asks.ReadByte(); err != nil {
			return
		}
	}
}
