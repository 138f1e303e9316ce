// A program whose threads of C each have an arena of malloc, of which they have freed a half. It tells what mallinfo2
// says of all of them.
package main

/*
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, CHUNKS = 3000 };
static pthread_barrier_t done;

static void *fill(void *arg)
{
	void *chunk[CHUNKS];
	for (int i = 0; i < CHUNKS; i++)
		memset(chunk[i] = malloc(200 + i % 900), 1, 200);
	for (int i = 1; i < CHUNKS; i += 2)
		free(chunk[i]);
	pthread_barrier_wait(&done);
	pthread_barrier_wait(&done);
	return arg;
}

static size_t run(void)
{
	pthread_t thread;
	mallopt(M_MXFAST, 0);
	mallopt(M_ARENA_MAX, 64);
	pthread_barrier_init(&done, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, fill, NULL);
	pthread_barrier_wait(&done);
	return mallinfo2().fordblks;
}
*/
import "C"

import "time"

func main() {
	println(C.run())
	time.Sleep(time.Hour)
}
