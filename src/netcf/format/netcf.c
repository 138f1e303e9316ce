/* GC log of the .NET Compact Framework, version 2, as Remote Performance Monitor saves it: text
   with one record per line, in one section per app domain.

     a VERSION NAME [TIME]        begins a section
     t TYPE NAME                  the name is the rest of the line
     o ID TYPE SIZE [ID ...]      an object and the objects that it refers to
     r ID KIND FLAGS [TYPE]       a root; TYPE declares it if it is a static variable
     c NAME [TIME]                ends the section

   Numbers are hexadecimal. Types may come after their objects, or never. Malformed lines and
   references are skipped with a warning. */
#include "format/format.h"
#include "netcf/format/lines.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	VERSION = 2,
	STEP = 4096,       /* lines between two progress updates */
	PROBED_LINES = 16, /* one of these must be a record */
	PROBED_BYTES = 1 << 16,
	SHOWN = 40 /* bytes of a malformed line shown in a warning */
};

struct kept {
	struct kept *next;
	char text[];
};

struct netcf {
	struct lines lines;
	const struct sink *sink;
	uint64_t offset; /* of the current line */
	bool in_section, has_time;
	struct text section; /* name of the section */
	uint64_t time;
	struct kept *kept; /* texts that are not borrowed from the file */
};

static void netcf_warn(struct netcf *n, const char *what, struct text about)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "Line %" PRIu64 ": %s", n->lines.number, what);
	if (about.len) {
		buf_add(&text, ": ");
		text_add_escaped(&text, about.data, about.len, SHOWN);
	}
	n->sink->warning(n->sink->self, n->offset, buf_text(&text));
}

/* Returns a text that lives as long as the reader. */
static struct text netcf_keep(struct netcf *n, struct text text)
{
	if (lines_are_borrowed(&n->lines))
		return text;
	struct kept *kept = mem_alloc(sizeof *kept + text.len);
	memcpy(kept->text, text.data, text.len);
	kept->next = n->kept;
	n->kept = kept;
	return (struct text){kept->text, text.len};
}

/* Parses "NAME [TIME]". The name may contain blanks. A number at the end is the time, unless it is
   the whole text. */
static void parse_name(struct text line, struct text *name, bool *has_time, uint64_t *time)
{
	line = line_trim(line);
	size_t start = line.len;
	while (start && line.data[start - 1] != ' ' && line.data[start - 1] != '\t')
		start--;
	struct text last = {line.data + start, line.len - start};
	*has_time = start && line_hex(last, time);
	*name = *has_time ? line_trim((struct text){line.data, start}) : line;
}

static void begin_section(struct netcf *n, uint64_t version)
{
	struct domain_record domain = {n->offset, version, n->section, n->has_time, n->time};
	n->in_section = true;
	n->sink->domain(n->sink->self, &domain);
}

/* Begins a section without a name for records before the first one. */
static void need_section(struct netcf *n)
{
	if (n->in_section)
		return;
	netcf_warn(n, "no section has begun here; what follows belongs to one without a name",
	           n->section);
	n->section = (struct text){0};
	n->has_time = false;
	begin_section(n, VERSION);
}

static bool read_domain(struct netcf *n, struct text line)
{
	uint64_t version = 0;
	struct text rest = line, word = line_word(&rest);
	if (n->in_section)
		netcf_warn(n, "a section begins before the one before has ended", n->section);
	if (!line_hex(word, &version)) {
		netcf_warn(n, "a section without the number of its version", word);
		rest = line;
	} else if (version != VERSION) {
		netcf_warn(n, "not version 2, but read as if it were", word);
	}
	parse_name(rest, &n->section, &n->has_time, &n->time);
	n->section = netcf_keep(n, n->section);
	begin_section(n, version);
	return true;
}

static bool netcf_read_end(struct netcf *n, struct text line)
{
	struct text name;
	bool has_time;
	uint64_t time = 0;
	parse_name(line, &name, &has_time, &time);
	if (!n->in_section)
		return false;
	if (!text_equal(name, n->section))
		netcf_warn(n, "the section that ends here has begun under another name", name);
	else if (has_time != n->has_time || (has_time && time != n->time))
		netcf_warn(n, "the section that ends here has begun with another time", name);
	n->in_section = false;
	n->section = (struct text){0};
	n->sink->domain_end(n->sink->self, n->offset);
	return true;
}

static bool netcf_read_type(struct netcf *n, struct text line)
{
	struct type_record type = {.offset = n->offset};
	if (!line_hex(line_word(&line), &type.address))
		return false;
	type.name = line_trim(line);
	if (!type.name.len)
		return false;
	type.name = netcf_keep(n, type.name);
	need_section(n);
	n->sink->record(n->sink->self, RECORD_TYPE, &type);
	return true;
}

static bool netcf_read_object(struct netcf *n, struct text line)
{
	struct log_object_record object = {.offset = n->offset};
	uint64_t size, ignored;
	if (!line_hex(line_word(&line), &object.id) || !line_hex(line_word(&line), &object.type))
		return false;
	struct text word = line_word(&line);
	if (!line_hex(word, &size))
		return false;
	if (size > UINT32_MAX)
		netcf_warn(n, "no object of a 32-bit program has this size; it is counted as 0", word);
	else
		object.size = size;
	while ((word = line_word(&line)).len)
		if (!line_hex(word, &ignored))
			netcf_warn(n, "this reference is no number", word);
	need_section(n);
	n->sink->log(n->sink->self, &object);
	return true;
}

static bool read_root(struct netcf *n, struct text line)
{
	struct log_root_record root = {.offset = n->offset};
	uint64_t flags;
	if (!line_hex(line_word(&line), &root.id) || !line_hex(line_word(&line), &root.kind)
	    || !line_hex(line_word(&line), &flags))
		return false;
	struct text container = line_word(&line);
	root.has_container = line_hex(container, &root.container);
	if (container.len && !root.has_container)
		netcf_warn(n, "the type that declares this root is no number", container);
	if (flags > (ROOT_PINNED | ROOT_WEAK | ROOT_INTERIOR))
		netcf_warn(n, "a root with flags that are not known", (struct text){0});
	root.flags = flags & (ROOT_PINNED | ROOT_WEAK | ROOT_INTERIOR);
	need_section(n);
	n->sink->log_root(n->sink->self, &root);
	return true;
}

static const struct {
	char letter;
	bool (*read)(struct netcf *n, struct text line);
} kinds[] = {
	{'o', netcf_read_object}, {'r', read_root},      {'t', netcf_read_type},
	{'a', read_domain},       {'c', netcf_read_end},
};

static void read_line(struct netcf *n, struct text line)
{
	struct text rest = line, word = line_word(&rest);
	if (!word.len)
		return;
	for (size_t i = 0; word.len == 1 && i < sizeof kinds / sizeof *kinds; i++)
		if (*word.data == kinds[i].letter && kinds[i].read(n, rest))
			return;
	netcf_warn(n, "this is no record", line);
}

static void netcf_close(struct reader *reader)
{
	struct netcf *n = (struct netcf *)reader;
	while (n->kept) {
		struct kept *next = n->kept->next;
		free(n->kept);
		n->kept = next;
	}
	lines_end(&n->lines);
	free(n);
}

static void netcf_finish(struct netcf *n)
{
	n->offset = n->lines.size;
	if (!n->in_section) {
		n->sink->end(n->sink->self, n->offset);
		return;
	}
	netcf_warn(n, "the log ends within a section, its end record is missing", n->section);
	if (!n->lines.ended)
		netcf_warn(n, "the last line has no end: its last word may be cut", (struct text){0});
}

static struct reader *netcf_read(const struct format *format, const struct input *input,
                                 const struct sink *sink, struct progress *progress,
                                 struct err *err)
{
	(void)format, (void)err;
	struct netcf *n = mem_alloc(sizeof *n);
	struct text line;
	n->lines = lines_begin(input->data, input->size);
	n->sink = sink;
	progress_begin(progress, "reading the log", input->size);
	while (lines_next(&n->lines, &n->offset, &line)) {
		read_line(n, line);
		if (n->lines.number % STEP == 0 && !progress_step(progress, n->offset))
			break;
	}
	netcf_finish(n);
	n->sink = NULL;
	return (struct reader *)n;
}

/* Returns true for a plausible record of a section; other text has a different form. */
static bool is_record(struct text line)
{
	struct text word = line_word(&line);
	uint64_t number;
	size_t numbers = 0;
	if (word.len != 1)
		return false;
	char letter = *word.data;
	if (letter == 'a')
		return line_hex(line_word(&line), &number) && number < 100 && line_trim(line).len;
	if (letter == 't')
		return line_hex(line_word(&line), &number) && line_trim(line).len;
	while (numbers < 3 && line_hex(line_word(&line), &number))
		numbers++;
	return numbers == 3 && (letter == 'o' || letter == 'r');
}

static bool netcf_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	struct lines lines = lines_begin(data, size < PROBED_BYTES ? size : PROBED_BYTES);
	struct text line;
	uint64_t offset;
	bool found = false;
	for (int seen = 0; !found && seen < PROBED_LINES && lines_next(&lines, &offset, &line);) {
		seen += line_trim(line).len > 0;
		found = is_record(line);
	}
	lines_end(&lines);
	return found;
}

static void netcf_references(const struct reader *reader, uint64_t offset, uint32_t handle,
                             struct listed_references *references)
{
	(void)handle;
	const struct netcf *n = (const struct netcf *)reader;
	struct lines lines = lines_at(&n->lines, offset);
	struct text line = {0}, word;
	uint64_t ignored, number;
	if (lines_next(&lines, &ignored, &line))
		for (int skipped = 0; skipped < 4; skipped++)
			line_word(&line);
	while ((word = line_word(&line)).len) {
		if (line_hex(word, &number))
			listed_references_add(references,
			                      (struct listed_reference){number, PLACE_NONE, STRENGTH_STRONG});
	}
	lines_end(&lines);
}

static const struct runtime netcf_runtime = {
	.parts = PART_DOMAINS | PART_WEAK,
	.words = {.globals = "statics and handles",
              .parked = "",
              .running = "local variables",
              .own = "roots of the runtime"},
};

static const struct listed_root_kind netcf_root_kinds[LOG_KINDS + 1] = {
	[LOG_INTERNAL] = {"internal", "the Compact Framework itself"},
	[LOG_LOCAL] = {"local", "local variable"},
	[LOG_FINALIZER] = {"finalizer", "finalizer queue"},
	[LOG_HANDLE] = {"gchandle", "GC handle"},
	[LOG_STATIC] = {"static", "static variable"},
	[LOG_SPECIFIC] = {"cfspecific", "interned string or class description"},
	[LOG_KINDS] = {"unknown", "root of kind "},
};

DEFINE_PLUGIN(formats, struct format, format_netcf) = {
	.rank = 80,
	.name = "netcf",
	.help = "GC log of the .NET Compact Framework",
	.noun = ".NET CF GC log",
	.runtime = &netcf_runtime,
	.root_kinds = netcf_root_kinds,
	.probe = netcf_probe,
	.read = netcf_read,
	.references = netcf_references,
	.close = netcf_close,
};
