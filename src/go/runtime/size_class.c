#include "go/runtime/size_class.h"

enum { PAGE = 8192, LARGEST = 32768 };

/* Pages of a span up to Go 1.7 (computed by initSizes in runtime/msize.go) and later
   (runtime/sizeclasses.go); 0: no such class. The class of 24 bytes exists since Go 1.16. */
static const struct {
	uint16_t size;
	uint8_t old_pages, pages;
} classes[] = {
	{8, 1, 1},      {16, 1, 1},     {24, 0, 1},    {32, 1, 1},    {48, 1, 1},    {64, 1, 1},
	{80, 1, 1},     {96, 1, 1},     {112, 1, 1},   {128, 1, 1},   {144, 1, 1},   {160, 1, 1},
	{176, 1, 1},    {192, 1, 1},    {208, 1, 1},   {224, 1, 1},   {240, 1, 1},   {256, 1, 1},
	{288, 1, 1},    {320, 1, 1},    {352, 1, 1},   {384, 1, 1},   {416, 1, 1},   {448, 1, 1},
	{480, 1, 1},    {512, 1, 1},    {576, 1, 1},   {640, 1, 1},   {704, 1, 1},   {768, 1, 1},
	{896, 1, 1},    {1024, 1, 1},   {1152, 1, 1},  {1280, 1, 1},  {1408, 2, 2},  {1536, 1, 1},
	{1664, 2, 0},   {1792, 0, 2},   {2048, 1, 1},  {2304, 2, 2},  {2560, 1, 0},  {2688, 0, 1},
	{2816, 3, 0},   {3072, 2, 3},   {3200, 0, 2},  {3328, 3, 0},  {3456, 0, 3},  {4096, 1, 1},
	{4608, 3, 0},   {4864, 0, 3},   {5376, 2, 2},  {6144, 3, 3},  {6400, 4, 0},  {6528, 0, 4},
	{6656, 5, 0},   {6784, 0, 5},   {6912, 6, 6},  {8192, 1, 1},  {8448, 7, 0},  {8704, 6, 0},
	{9472, 5, 7},   {9728, 0, 6},   {10240, 0, 5}, {10496, 4, 0}, {10880, 0, 4}, {12288, 3, 3},
	{13568, 5, 5},  {14080, 7, 0},  {14336, 0, 7}, {16384, 2, 2}, {16640, 9, 0}, {17664, 7, 0},
	{18432, 0, 9},  {19072, 0, 7},  {20480, 5, 5}, {21248, 8, 0}, {21760, 0, 8}, {24576, 3, 3},
	{24832, 10, 0}, {27264, 0, 10}, {28416, 7, 0}, {28672, 0, 7}, {32768, 4, 4},
};
enum { CLASSES = sizeof classes / sizeof *classes };

uint64_t size_class_below(uint64_t size)
{
	uint64_t below = size > PAGE ? size - PAGE : 0;
	if (size <= LARGEST) {
		below = 0;
		for (int i = 0; i < CLASSES && classes[i].size < size; i++)
			below = classes[i].pages ? classes[i].size : below;
	}
	return below;
}

bool size_class_fits(uint64_t size, uint64_t bytes)
{
	return bytes <= size && bytes > size_class_below(size);
}

bool size_class_is_arena_chunk(uint64_t address, uint64_t size, unsigned word)
{
	const uint64_t most = 8 << 20;
	for (uint64_t chunk = most; word && chunk >= most / 2; chunk /= 2) {
		uint64_t bitmap = chunk / word / 8, type = 4 * word + 16;
		if (size == chunk - bitmap - type && address % chunk == 0)
			return true;
	}
	return false;
}

static unsigned size_class_pages(unsigned class, bool old)
{
	return old ? classes[class].old_pages : classes[class].pages;
}

bool size_class_is_old(uint64_t size)
{
	for (int i = 0; i < CLASSES && classes[i].size <= size; i++)
		if (classes[i].size == size)
			return !classes[i].pages;
	return false;
}

/* Numbers of pages and slots are such that the address of a slot is unambiguous. */
static bool size_class_span_of_pages(uint64_t slot, uint64_t size, unsigned pages,
                                     struct size_class_span *span)
{
	for (unsigned before = 0; before < pages; before++) {
		uint64_t distance = slot % PAGE + before * (uint64_t)PAGE;
		if (distance > slot || distance % size || distance / size >= pages * PAGE / size)
			continue;
		span->address = slot - distance;
		span->bytes = pages * (uint64_t)PAGE;
		return true;
	}
	return false;
}

static bool size_class_span_large(uint64_t slot, uint64_t size, struct size_class_span *span)
{
	*span = (struct size_class_span){.address = slot, .bytes = size};
	return slot % PAGE == 0 && size % PAGE == 0;
}

bool size_class_span(const struct size_classes *which, uint64_t slot, uint64_t size,
                     struct size_class_span *span)
{
	unsigned number = 0;
	if (size > LARGEST)
		return size_class_span_large(slot, size, span);
	for (unsigned i = 0; i < CLASSES && classes[i].size <= size; i++) {
		unsigned pages = size_class_pages(i, which->old);
		number += pages && (classes[i].size != 24 || which->of_24);
		span->class = number;
		if (classes[i].size == size)
			return size_class_span_of_pages(slot, size, pages, span);
	}
	return false;
}
