#include "format/record.h"

const char *const memstats_names[24] = {
	"Alloc",       "TotalAlloc", "Sys",        "Lookups",   "Mallocs",      "Frees",
	"HeapAlloc",   "HeapSys",    "HeapIdle",   "HeapInuse", "HeapReleased", "HeapObjects",
	"StackInuse",  "StackSys",   "MSpanInuse", "MSpanSys",  "MCacheInuse",  "MCacheSys",
	"BuckHashSys", "GCSys",      "OtherSys",   "NextGC",    "LastGC",       "PauseTotalNs",
};

uint64_t layout_word_slow(const struct layout *layout, const uint8_t *data)
{
	uint64_t word = 0;
	for (unsigned i = 0; i < layout->pointer_size; i++) {
		unsigned at = layout->big_endian ? i : layout->pointer_size - 1U - i;
		word = word << 8 | data[at];
	}
	return word;
}
