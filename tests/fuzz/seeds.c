/* Writes what the fuzzers start from: FOLDER/TARGET/NAME, and FOLDER/explorer.dict. */
#include "tiny.h"

#include "exe/elf_writer.h"
#include "go/exe/image.h"
#include "table/table.h"
#include "ui/command.h"

#include <bzlib.h>
#include <errno.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

static const char *folder;

static FILE *create(const char *target, const char *name)
{
	SCOPED_BUF path = {0};
	buf_addf(&path, "%s/%s", folder, target);
	mkdir(buf_text(&path), 0777);
	buf_addf(&path, "/%s", name);
	FILE *file = fopen(buf_text(&path), "wb");
	if (!file) {
		fprintf(stderr, "seeds: %s: %s\n", buf_text(&path), strerror(errno));
		exit(1);
	}
	return file;
}

static void save(const char *target, const char *name, const char *bytes, size_t len)
{
	FILE *file = create(target, name);
	fwrite(bytes, 1, len, file);
	fclose(file);
}

/* A dump for those that take whole ones, and without what FUZZ_HEADER says for its reader. */
static void save_dump(const struct tiny *tiny)
{
	static const struct {
		const char *target;
		size_t header;
	} readers[] = {
		[DUMP_7] = {"go17", 16},          [DUMP_6] = {"go16", 16}, [DUMP_5] = {"go15", 16},
		[DUMP_4] = {"go14", 16},          [DUMP_3] = {"go13", 17}, [DUMP_3BETA] = {"go13", 17},
		[TINY_EARLY] = {"go13early", 17},
	};
	size_t header = readers[tiny->layout].header;
	struct dump_writer w;
	SCOPED_BUF name = {0};
	tiny_write(&w, tiny);
	buf_addf(&name, "%u-%u-%s-%s", tiny->layout, 8 * tiny->pointer_size,
	         tiny->big_endian ? "big" : "little", tiny->version);
	save("probe", buf_text(&name), w.out.data, w.out.len);
	save("tables", buf_text(&name), w.out.data, w.out.len);
	save(readers[tiny->layout].target, buf_text(&name), w.out.data + header, w.out.len - header);
	dump_free(&w);
}

static void save_dumps(struct tiny tiny)
{
	for (tiny.pointer_size = 4; tiny.pointer_size <= 8; tiny.pointer_size += 4) {
		tiny.big_endian = false;
		save_dump(&tiny);
		tiny.big_endian = true;
		save_dump(&tiny);
	}
}

static void save_all_dumps(void)
{
	static const char *const versions[] = {
		"",        "go1.19.8", "go1.22.1 X:noallocheaders", "go1.24.4", "go1.25.12 X:greenteagc",
		"go1.27.3"};
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		save_dumps((struct tiny){.layout = DUMP_7, .version = versions[i]});
	for (unsigned layout = DUMP_7 + 1; layout < TINY_LAYOUTS; layout++)
		save_dumps((struct tiny){.layout = layout, .version = ""});
}

/* GC logs; FUZZ_HEADER has the first line of those for their reader. */
static void save_logs(void)
{
	static const char *const logs[] = {
		"t 1 A.B\no 10 1 8 11 11 12\no 11 2 ffffffffffffffff\nr 10 4 0 1\nr 11 3 2\nc f\n",
		("o 10 1 8 10\nc f\na 2 g app 1f\no 10 1 8 11\no 11 1 4\nr 10 1 7\nr 99 9 1\nt 1 B [,]\n"
	     "c g app 1f\n"),
		"x\no zz\no 10 1\r\no 10 1 8\no 10 2 4 11\nt 1 A\nt 1 B\na 3 h\no 123456789a 1 1\nr",
	};
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		const char name[] = {(char)('a' + i), '\0'};
		SCOPED_BUF whole = {0};
		buf_addf(&whole, "a 2 f\n%s", logs[i]);
		save("netcf", name, logs[i], strlen(logs[i]));
		save("probe", name, whole.data, whole.len);
		save("tables", name, whole.data, whole.len);
	}
	static const char wide[] = "\xff\xfe"
							   "a\0 \0"
							   "2\0 \0f\0\n\0"
							   "o\0 \0"
							   "1\0 \0"
							   "1\0 \0"
							   "1\0\n\0c\0 \0f\0";
	save("probe", "wide", wide, sizeof wide - 1);
	save("tables", "wide", wide, sizeof wide - 1);
}

/* Heap snapshots; FUZZ_HEADER begins those for their reader. */
static void save_snapshots(void)
{
	static const char meta[] =
		"{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\"],"
		"\"node_types\":[[\"synthetic\",\"object\",\"closure\",\"native\",\"string\"],\"string\"],"
		"\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\"edge_types\":[[\"property\","
		"\"element\",\"weak\",\"internal\",\"shortcut\"],\"string_or_number\",\"node\"]}";
	static const char *const bodies[] = {
		",\"node_count\":4,\"edge_count\":4},\"nodes\":[0,0,1,0,1,0,1,3,0,1,1,2,5,16,1,3,3,7,"
		"8589934592,1],\"edges\":[1,1,5,1,7,10,0,4,15,2,5,10],\"trace_tree\":[[1,[2]]],"
		"\"strings\":[\"\",\"(GC roots)\",\"A\",\"B\",\"x\",\"t\"]}",
		"},\"nodes\":[0,0,1,0,2\n,1,1,3,8,1\n,2,2,3,8,2\n,4,3,9,8,0\n],\"edges\":[1,0,5\n,4,3,10\n,"
		"3,4,15\n,3,5,15,2,9,15,0,0,7\n],\"strings\":[\"\\u00e9\\ud83d\\ude00\\n\",\"A\",\"f\","
		"\"260\",\"1 / part of key (A @3) -> value (B @9) pair in WeakMap (table @3)\",\"\\\"]",
		"},\"strings\":[],\"edges\":[],\"nodes\":[0,0,1,0,99,7,7,7,7]}",
	};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		const char name[] = {(char)('a' + i), '\0'}, file[] = {'v', (char)('a' + i), '\0'};
		struct buf part = {0}, whole = {0};
		buf_addf(&part, "%s%s", meta, bodies[i]);
		buf_addf(&whole, "{\"snapshot\":%s", buf_text(&part));
		save("v8", name, part.data, part.len);
		save("probe", file, whole.data, whole.len);
		save("tables", file, whole.data, whole.len);
		buf_free(&part);
		buf_free(&whole);
	}
}

/* Traces; FUZZ_HEADER begins those for their reader. */
static void save_traces(void)
{
	static const char names[] =
		"{\"ph\":\"M\",\"pid\":1,\"name\":\"stackFrames\",\"args\":{\"stackFrames\":{"
		"\"0\":{\"name\":\"main\"},\"1\":{\"name\":\"f\",\"parent\":\"0\"},"
		"\"2\":{\"name\":\"l\",\"parent\":\"2\"}}}},"
		"{\"ph\":\"M\",\"pid\":1,\"name\":\"typeNames\","
		"\"args\":{\"typeNames\":{\"1\":\"T\"}}}";
	static const char *const heaps[] = {
		"\"heaps\":{\"malloc\":{\"entries\":[{\"bt\":\"\",\"size\":\"20\",\"count\":\"2\"},"
		"{\"bt\":\"0\",\"size\":\"18\"},"
		"{\"bt\":\"1\",\"type\":\"1\",\"size\":\"ffffffffffffffff\"}]}}",
		"\"heaps\":{\"malloc\":{\"entries\":[{\"size\":\"30\"},{\"bt\":\"1\",\"size\":\"10\"},"
		"{\"bt\":\"2\",\"size\":18446744073709551615},{\"type\":\"1\",\"size\":\"8\"}]}}",
		"\"heaps_v2\":{\"version\":1,\"maps\":{\"strings\":[{\"id\":1,\"string\":\"m\"}],"
		"\"nodes\":[{\"id\":3,\"name_sid\":1,\"parent\":2},{\"id\":2,\"name_sid\":1}],"
		"\"types\":[{\"id\":0,\"name_sid\":1}]},\"allocators\":{\"malloc\":{\"counts\":[1,2],"
		"\"sizes\":[16,8],\"types\":[0,7],\"nodes\":[3,18446744073709551615]}}}",
	};
	for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
		const char name[] = {(char)('a' + i), '\0'}, file[] = {'t', (char)('a' + i), '\0'};
		struct buf part = {0}, whole = {0};
		buf_addf(&part,
		         "%s,{\"ph\":\"v\",\"pid\":1,\"id\":\"0x1\",\"ts\":9,"
		         "\"args\":{\"dumps\":{%s}}}]}",
		         names, heaps[i]);
		buf_addf(&whole, "{\"traceEvents\":[%s", buf_text(&part));
		save("chromium", name, part.data, part.len);
		save("probe", file, whole.data, whole.len);
		save("tables", file, whole.data, whole.len);
		buf_free(&part);
		buf_free(&whole);
	}
}

enum { ARCHIVE = 1 << 16 };

/* Its fuzzer takes a byte in front. */
static void save_archive(const char *name, const uint8_t *bytes, size_t len)
{
	struct buf seed = {0}, twice = {0};
	buf_add_char(&seed, '\x80');
	buf_add_bytes(&seed, bytes, len);
	save("archive", name, seed.data, seed.len);
	buf_add_bytes(&seed, bytes, len);
	buf_addf(&twice, "%s-twice", name);
	save("archive", buf_text(&twice), seed.data, seed.len);
	buf_free(&twice);
	buf_free(&seed);
}

static void save_archives(void)
{
	static uint8_t bytes[ARCHIVE];
	struct dump_writer w;
	tiny_write(&w, &(struct tiny){.layout = DUMP_7, .version = "", .pointer_size = 8});
	z_stream z = {.next_in = (Bytef *)w.out.data,
	              .avail_in = (uInt)w.out.len,
	              .next_out = bytes,
	              .avail_out = ARCHIVE};
	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
	deflate(&z, Z_FINISH);
	save_archive("gzip", bytes, ARCHIVE - z.avail_out);
	deflateEnd(&z);
	size_t len = 0;
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (uint8_t *)w.out.data, w.out.len, bytes,
	                            &len, ARCHIVE)
	    == LZMA_OK)
		save_archive("xz", bytes, len);
	len = ZSTD_compress(bytes, ARCHIVE, w.out.data, w.out.len, 19);
	if (!ZSTD_isError(len))
		save_archive("zstd", bytes, len);
	unsigned short_len = ARCHIVE;
	if (BZ2_bzBuffToBuffCompress((char *)bytes, &short_len, (char *)w.out.data, (unsigned)w.out.len,
	                             9, 0, 0)
	    == BZ_OK)
		save_archive("bzip2", bytes, short_len);
	len = LZ4F_compressFrame(bytes, ARCHIVE, w.out.data, w.out.len, NULL);
	if (!LZ4F_isError(len))
		save_archive("lz4", bytes, len);
	dump_free(&w);
}

static void save_texts(void)
{
	static const char *const texts[] = {
		"\x40"
		"0x1f",
		"\x05"
		"10MiB",
		"\x7f"
		"18446744073709551615",
		"\x10"
		"16k",
		"\x20"
		"plain, \xce\xbb\xe4\xb8\x96\xf0\x9f\x98\x80 e\xcc\x81, \x1b[31m\xff\x80\\\n",
		"\x03"
		"\xe2\x80\xae turned \xc2\x9b around",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		save("text", (char[]){(char)('a' + i), '\0'}, texts[i], strlen(texts[i]));
}

static void save_filters(void)
{
	static const char *const filters[] = {
		"\x11\x03text ~ \"Session\" and size > 4k",
		"\x40\x0a not bool or (count = 1,234 and time != none) and share < 12.5%",
		"\x01 address >= 0xc000012340 or offset = +0x18 or 'a ''b' or time > 1.5 min",
		"\x05\x05text !~ '^(a|b){1,3}[^c]$' and not (id <= 17 or bool = no)",
	};
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		save("filter", (char[]){(char)('a' + i), '\0'}, filters[i], strlen(filters[i]));
}

/* The debug information of a real program: one small unit, and the start of each other section. */
static struct elf_part cut_section(const struct image *image, const char *name)
{
	enum { SMALL = 3000, SOME = 700 };
	struct image_section section;
	if (!image_section(image, name, &section))
		return (struct elf_part){name, "", 0};
	uint32_t length = 0;
	size_t at = 0;
	bool is_info = strcmp(name, ".debug_info") == 0;
	for (; is_info && at + 4 < section.size; at += length + 4) {
		memcpy(&length, section.data + at, sizeof length);
		if (length < SMALL && length > SOME)
			return (struct elf_part){name, section.data + at, length + 4};
	}
	return (struct elf_part){name, section.data, section.size < SOME ? section.size : SOME};
}

/* A table of two functions as Go writes it from 1.20 on. */
static struct elf_part small_pclntab(void)
{
	static uint8_t table[256];
	static const uint64_t header[] = {2, 1, 0x400000, 72, 96, 100, 112, 128};
	static const uint32_t functions[] = {0, 24, 16, 64, 32, 0};
	static const uint8_t codes[] = {0, 2, 16, 0};
	const uint32_t magic = 0xfffffff1;
	memcpy(table, &magic, sizeof magic);
	table[6] = 1; /* quantum */
	table[7] = 8; /* bytes of a pointer */
	memcpy(table + 8, header, sizeof header);
	memcpy(table + 72, "main.main\0main.f", 16);
	memcpy(table + 100, "main.go", 8);
	memcpy(table + 112, codes, sizeof codes);
	memcpy(table + 128, functions, sizeof functions);
	return (struct elf_part){".gopclntab", table, sizeof table};
}

/* type T struct { a *T } and [2]T, as DWARF: the small units of real programs have no types. */
static void save_types(void)
{
	static const uint8_t abbreviations[] = {
		1, 0x11, 1, 0x13, 0x0b, 0,    0,                      /* unit: language */
		2, 0x13, 1, 0x03, 0x08, 0x0b, 0x0f, 0,    0,          /* struct: name, size */
		3, 0x0d, 0, 0x03, 0x08, 0x38, 0x0f, 0x49, 0x13, 0, 0, /* member: name, offset, type */
		4, 0x0f, 0, 0x03, 0x08, 0x49, 0x13, 0,    0,          /* pointer: name, type */
		5, 0x01, 1, 0x03, 0x08, 0x0b, 0x0f, 0x49, 0x13, 0, 0, /* array: name, size, type */
		6, 0x21, 0, 0x37, 0x0f, 0,    0,    0,                /* range: count */
	};
	static const char info[] = "\x3c\0\0\0\4\0\0\0\0\0\x08"
							   "\1\x16" /* length 60, version 4, 8 bytes an address; Go */
							   "\2main.T\0\x10"
							   "\3a\0\0\x1f\0\0\0"
							   "\0"
							   "\4*main.T\0\x0d\0\0\0"
							   "\5[2]main.T\0\x20\x0d\0\0\0"
							   "\6\2"
							   "\0"; /* and the zero that ends the unit */
	const struct elf_part parts[] = {small_pclntab(),
	                                 {".debug_info", info, sizeof info},
	                                 {".debug_abbrev", abbreviations, sizeof abbreviations}};
	struct buf file = elf_write(parts, sizeof parts / sizeof *parts);
	save("exe", "types", file.data, file.len);
	buf_free(&file);
}

static void save_executables(void)
{
	static const char *const names[] = {".debug_info", ".debug_abbrev", ".debug_ranges",
	                                    ".debug_loc", ".debug_line"};
	enum { NAMES = sizeof names / sizeof *names };
	struct elf_part parts[NAMES + 1] = {small_pclntab()};
	struct buf debug = elf_write_debug("testdata/go1.24.4-small.exe.xz");
	struct image *image = image_open((const uint8_t *)debug.data, debug.len, "seed", NULL);
	for (size_t i = 0; image && i < NAMES; i++)
		parts[i + 1] = cut_section(image, names[i]);
	struct buf file = elf_write(parts, image ? NAMES + 1 : 1);
	save("exe", "elf", file.data, file.len);
	struct buf fakes = elf_write_tables(3, true);
	save("exe", "tables", fakes.data, fakes.len);
	buf_free(&fakes);
	for (char part = 0; part < 4; part++)
		save("exe", (char[]){(char)('a' + part), '\0'},
		     (char[]){part, 64, 0, 0, 0, 1, 8, 1, 0, 0, 99}, 11);
	for (char part = 0; part < 4; part++)
		save("debug", (char[]){(char)('a' + part), '\0'},
		     (char[]){part, 64, 0, 0, 0, 1, 8, 1, 0, 0, 99}, 11);
	save("debug", "elf", file.data, file.len);
	image_close(image);
	buf_free(&file);
	buf_free(&debug);
}

/* Changes to a real one, of which there is a kind for each part of it, and headers by themselves.
 */
static void save_cores(void)
{
	enum { PARTS = 5, EDIT = 10 };
	uint8_t header[64 + 56] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	header[16] = 4; /* a core file of amd64 with one header, behind this one */
	header[18] = 62;
	header[32] = 64;
	header[54] = 56;
	header[56] = 1;
	header[64] = 4; /* notes */
	save("core", "elf", (const char *)header, sizeof header);
	for (char part = 0; part < PARTS; part++) {
		char edits[1 + 2 * EDIT] = {part, 8, 0, 0, 0, 8, (char)0xff, 1, 0, 0, 2};
		save("core", (char[]){(char)('a' + part), '\0'}, edits, sizeof edits);
	}
}

static void save_scripts(void)
{
	static const char *const scripts[] = {
		"P\x18\x01j\nEnter\nBackspace\n/\nmain\nEnter\nn\n?\nq\n",
		"P\x18\x01:objects\n:sort size\nG\nEnter\np\nn\nx\nj\n:filter 1\n:filter\nz\n",
		"(\x0a\x05:goto 0x100040\nr\no\n:mark a\n2\nEnter\nl\nh\n'\na\n:size 20x5\n4\n^D\nG\n",
		"\x01\x01\x07:groups\n:group\n:list types\n:back 3\n:forward\n:keys j j G Enter p x\n",
		"\x63\x1d\x03MouseLeft 3 5\nm\na\n&\nx\nEnter\n:help goto\n^G\n:row 18446744073709551615\n",
	};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		save("explorer", (char[]){(char)('a' + i), '\0'}, scripts[i], strlen(scripts[i]));
}

/* A line of a dictionary of libFuzzer; none of the words has a quote or a backslash. */
static void add_word(void *file, const char *name, const char *argument, const char *help)
{
	(void)argument, (void)help;
	fprintf(file, "\"%s\"\n", name);
}

static void save_explorer_words(void)
{
	FILE *file = create("", "explorer.dict");
	command_each(add_word, file);
	for (const struct key *key = keys; key->key; key++)
		add_word(file, key->key, NULL, NULL);
	for (size_t i = 0; tables[i]; i++)
		for (int column = 0; column < tables[i]->column_count; column++)
			add_word(file, tables[i]->columns[column].name, NULL, NULL);
	fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: seeds FOLDER\n", stderr);
		return 2;
	}
	folder = argv[1];
	mkdir(folder, 0777);
	save_all_dumps();
	save_logs();
	save_snapshots();
	save_traces();
	save_archives();
	save_texts();
	save_filters();
	save_executables();
	save_types();
	save_cores();
	save_scripts();
	save_explorer_words();
	return 0;
}
