/* Versions of Go heap dumps: the table of layouts, and the formats made from it. */
#include "format/format.h"
#include "format/go_layout.h"
#include "format/go_reader.h"

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

static const struct go_layout layout_3beta = {
	.release = GO_13BETA,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.3 heap dump\n",
	.version = "go1.3beta1",
	.typed_objects = true,
	.max_kind = 5,
	.kinds = kinds_13,
};
static const struct go_layout layout_3 = {
	.release = GO_13,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.3 heap dump\n",
	.version = "go1.3",
	.typed_objects = true,
	.max_kind = 5,
	.kinds = kinds_13,
};
static const struct go_layout layout_4 = {
	.release = GO_14,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.4 heap dump\n",
	.version = "go1.4",
	.max_kind = 3,
	.kinds = kinds_14,
};
static const struct go_layout layout_5 = {
	.release = GO_15,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.5 heap dump\n",
	.version = "go1.5",
	.max_kind = 1,
};
static const struct go_layout layout_6 = {
	.release = GO_16,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.6 heap dump\n",
	.version = "go1.6",
	.max_kind = 1,
};
static const struct go_layout layout_7 = {
	.release = GO_17,
	.tags = tags,
	.tag_count = TAGS,
	.header = "go1.7 heap dump\n",
	.max_kind = 1,
};

/* Returns true if the file is from the beta of Go 1.3. It has the same header as Go 1.3, and lacks
   a field in frames: the layout with which more of the file can be read is right. */
static bool is_beta(const uint8_t *data, size_t size)
{
	return go_walk_length(&layout_3beta, data, size) > go_walk_length(&layout_3, data, size);
}

static bool go_layouts_probe(const struct format *format, const uint8_t *data, size_t size)
{
	const struct go_layout *layout = format->variant;
	if (size < GO_HEADER_LINE || memcmp(data, layout->header, GO_HEADER_LINE) != 0)
		return false;
	return layout != &layout_3beta || is_beta(data, size);
}

static const struct format format_go17 = {
	.rank = 10,
	.name = "go1.7",
	.help = "heap dump of Go 1.7 and later",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_7,
	.probe = go_layouts_probe,
	.read = go_read,
	.estimate = go_estimate,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
static const struct format format_go16 = {
	.rank = 20,
	.name = "go1.6",
	.help = "heap dump of Go 1.6",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_6,
	.probe = go_layouts_probe,
	.read = go_read,
	.estimate = go_estimate,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
static const struct format format_go15 = {
	.rank = 30,
	.name = "go1.5",
	.help = "heap dump of Go 1.5",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_5,
	.probe = go_layouts_probe,
	.read = go_read,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
static const struct format format_go14 = {
	.rank = 40,
	.name = "go1.4",
	.help = "heap dump of Go 1.4",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_4,
	.probe = go_layouts_probe,
	.read = go_read,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
static const struct format format_go13beta = {
	.rank = 60,
	.name = "go1.3beta1",
	.help = "heap dump of the first beta of Go 1.3",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_3beta,
	.probe = go_layouts_probe,
	.read = go_read,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};
static const struct format format_go13 = {
	.rank = 70,
	.name = "go1.3",
	.help = "heap dump of Go 1.3",
	.noun = "Go heap dump",
	.runtime = &runtime_go,
	.variant = &layout_3,
	.probe = go_layouts_probe,
	.read = go_read,
	.object = go_object_read,
	.next = go_object_next,
	.close = go_close,
};

PLUGIN(formats, format_go17);
PLUGIN(formats, format_go16);
PLUGIN(formats, format_go15);
PLUGIN(formats, format_go14);
PLUGIN(formats, format_go13beta);
PLUGIN(formats, format_go13);
