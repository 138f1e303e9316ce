/* Finds the coroutine that a goroutine waits in. Private to go/runtime/gowait.c. */
#pragma once

#include <stdint.h>

struct heap;
struct thread;

/* Returns the address of the record by which another goroutine can switch to g; 0: not found. */
uint64_t gowait_coroutine(const struct heap *heap, const struct thread *g);
