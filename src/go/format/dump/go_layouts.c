/* Versions of Go heap dumps: the table of layouts, and the formats made from it. */
#include "format/format.h"
#include "go/format/dump/go_layout.h"
#include "go/format/dump/go_reader.h"

#include <string.h>

/* Field kinds: 1 pointer, 2 string, 3 slice, 4 interface with methods, 5 without. */
static const uint8_t kinds_13[] = {OLD_NONE,    OLD_POINTER, OLD_POINTER,
                                   OLD_POINTER, OLD_IFACE,   OLD_EFACE};
/* 1 pointer, 2 and 3 interfaces; since Go 1.4 their data word is always a pointer. */
static const uint8_t kinds_14[] = {OLD_NONE, OLD_POINTER, OLD_DATA, OLD_DATA};

static const struct go_tag tags[] = {
	{.kind = RECORD_END},       {.kind = RECORD_OBJECT},
	{.kind = RECORD_OTHERROOT}, {.kind = RECORD_TYPE},
	{.kind = RECORD_GOROUTINE}, {.kind = RECORD_FRAME},
	{.kind = RECORD_PARAMS},    {.kind = RECORD_FINALIZER},
	{.kind = RECORD_ITAB},      {.kind = RECORD_OS_THREAD},
	{.kind = RECORD_MEMSTATS},  {.kind = RECORD_QUEUED_FINALIZER, .second = true},
	{.kind = RECORD_DATA},      {.kind = RECORD_BSS, .second = true},
	{.kind = RECORD_DEFER},     {.kind = RECORD_PANIC},
	{.kind = RECORD_PROFILE},   {.kind = RECORD_SAMPLE},
};
enum { TAGS = sizeof tags / sizeof *tags };

static bool go_layouts_probe(const struct format *format, const uint8_t *data, size_t size);

/* A layout, and the format that is read by it: its place, its name and help, how it is estimated,
   and what distinguishes the layout. */
#define GO_FORMAT(id, place, called, about, estimates, ...)                                     \
	static const struct go_layout layout_##id = {.tags = tags, .tag_count = TAGS, __VA_ARGS__}; \
	static const struct format format_##id = {                                                  \
		.rank = (place),                                                                        \
		.name = (called),                                                                       \
		.help = (about),                                                                        \
		.noun = "Go heap dump",                                                                 \
		.runtime = &runtime_go,                                                                 \
		.variant = &layout_##id,                                                                \
		.otherroot = 2,                                                                         \
		.probe = go_layouts_probe,                                                              \
		.read = go_read,                                                                        \
		.estimate = (estimates),                                                                \
		.object = go_object_read,                                                               \
		.next = go_object_next,                                                                 \
		.close = go_close,                                                                      \
	};                                                                                          \
	PLUGIN(formats, format_##id)

GO_FORMAT(go17, 10, "go1.7", "heap dump of Go 1.7 and later", go_estimate, .release = GO_17,
          .header = "go1.7 heap dump\n", .max_kind = 1);
GO_FORMAT(go16, 20, "go1.6", "heap dump of Go 1.6", go_estimate, .release = GO_16,
          .header = "go1.6 heap dump\n", .version = "go1.6", .max_kind = 1);
GO_FORMAT(go15, 30, "go1.5", "heap dump of Go 1.5", NULL, .release = GO_15,
          .header = "go1.5 heap dump\n", .version = "go1.5", .max_kind = 1);
GO_FORMAT(go14, 40, "go1.4", "heap dump of Go 1.4", NULL, .release = GO_14,
          .header = "go1.4 heap dump\n", .version = "go1.4", .max_kind = 3, .kinds = kinds_14);
GO_FORMAT(go13beta, 60, "go1.3beta1", "heap dump of the first beta of Go 1.3", NULL,
          .release = GO_13BETA, .header = "go1.3 heap dump\n", .version = "go1.3beta1",
          .typed_objects = true, .max_kind = 5, .kinds = kinds_13);
GO_FORMAT(go13, 70, "go1.3", "heap dump of Go 1.3", NULL, .release = GO_13,
          .header = "go1.3 heap dump\n", .version = "go1.3", .typed_objects = true, .max_kind = 5,
          .kinds = kinds_13);

/* Returns true if the file is from the beta of Go 1.3. It has the same header as Go 1.3, and lacks
   a field in frames: the layout with which more of the file can be read is right. */
static bool is_beta(const uint8_t *data, size_t size)
{
	return go_walk_length(&layout_go13beta, data, size) > go_walk_length(&layout_go13, data, size);
}

static bool go_layouts_probe(const struct format *format, const uint8_t *data, size_t size)
{
	const struct go_layout *layout = format->variant;
	if (size < GO_HEADER_LINE || memcmp(data, layout->header, GO_HEADER_LINE) != 0)
		return false;
	return layout != &layout_go13beta || is_beta(data, size);
}
