/* Layout of runtime.timer in each version. Private to gotimer.c. */
#pragma once

#include "go/exe/struct_layout.h"
#include "go/runtime/gomemory.h"

enum {
	BUCKET,
	OWNER,
	LOCK,
	STATE,
	RAND,
	INDEX_32,
	INDEX,
	WHEN,
	PERIOD,
	FUNCTION,
	ARG_TYPE,
	ARG,
	SEQUENCE,
	NEXT_WHEN,
	STATUS,
	TIMERS,
	SEND_LOCK,
	IS_SENDING
};

static const struct struct_layout gotimer_layout = {
	"runtime.timer",
	(const struct layout_field[]){
		[BUCKET] = {.name = "tb", .since = 10, .until = 13},
		[OWNER] = {.name = "pp", .since = 14, .until = 22},
		[LOCK] = {.name = "mu", .since = 23},
		/* and the following fields up to `blocked` */
		[STATE] = {.name = "astate", .size = 8, .since = 23},
		[RAND] = {.name = "rand", .size = 4, .since = 25},
		[INDEX_32] = {.name = "i", .size = 4, .until = 3},
		[INDEX] = {.name = "i", .since = 4, .until = 13},
		[WHEN] = {.name = "when", .size = 8},
		[PERIOD] = {.name = "period", .size = 8},
		[FUNCTION] = {.name = "f", .kind = LAYOUT_POINTER},
		[ARG_TYPE] = {.name = "arg.type", .kind = LAYOUT_POINTER},
		[ARG] = {.name = "arg.data", .kind = LAYOUT_POINTER},
		[SEQUENCE] = {.name = "seq"},
		[NEXT_WHEN] = {.name = "nextwhen", .size = 8, .since = 14, .until = 22},
		[STATUS] = {.name = "status", .size = 4, .since = 14, .until = 22},
		[TIMERS] = {.name = "ts", .kind = LAYOUT_POINTER, .since = 23},
		[SEND_LOCK] = {.name = "sendLock", .since = 23},
		[IS_SENDING] = {.name = "isSending", .size = 4, .since = 23},
		{0},
	},
};
