/* The allocator's size classes (runtime/sizeclasses.go), old and new ones together. */
#include "goruntime/size_class.h"

static const uint16_t classes[] = {
	8,     16,    24,    32,    48,    64,    80,    96,    112,   128,   144,   160,
	176,   192,   208,   224,   240,   256,   288,   320,   352,   384,   416,   448,
	480,   512,   576,   640,   704,   768,   896,   1024,  1152,  1280,  1408,  1536,
	1792,  2048,  2304,  2688,  3072,  3200,  3456,  4096,  4864,  5376,  6144,  6528,
	6784,  6912,  8192,  9472,  9728,  10240, 10880, 12288, 13568, 14336, 16384, 18432,
	19072, 20480, 21760, 24576, 27264, 28672, 32768,
};
enum { CLASSES = sizeof classes / sizeof *classes, PAGE = 8192 };

bool size_class_fits(uint64_t size, uint64_t bytes)
{
	uint64_t below = size > PAGE ? size - PAGE : 0;
	if (size <= classes[CLASSES - 1]) {
		below = 0;
		for (int i = 0; i < CLASSES && classes[i] < size; i++)
			below = classes[i];
	}
	return bytes > below && bytes <= size;
}
