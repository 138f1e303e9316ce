/* Where the explorer was left: the current view with its cursor, order, filter, columns and open
   rows, the marks, and what is tagged, in a file of their own for each dump, which names the dump.
 */
#include "analysis/analysis.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/user_file.h"
#include "table/contents/object_set.h"
#include "ui/places.h"
#include "ui/state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PLACE_MOST = 256 * 1024,
	PLACE_TAGGED = 128 * 1024, /* more than 5,000 addresses */
	PLACE_FIELDS = 7,
	SIDE_MOST = 10000,
	PLACES_KEPT = 500, /* files; those of the dumps that were left first are removed */
};
static const char place_file_header[] = "goheapx place 2\n";
static const char place_file_of[] = "of\t";           /* the line with the path of the dump */
static const char place_file_tagged[] = "\ntagged\t"; /* the beginning of a line */

static bool place_folder(struct buf *path)
{
	return user_folder(path, USER_STATE) && (buf_add(path, "/places"), true);
}

/* Appends the path of the file of a dump, named by its path, size and time; false: there is none,
   because it is a process, or there is no home directory. Stores the path of the dump. */
static bool place_file_path(const struct analysis *analysis, bool make, struct buf *path,
                            struct buf *dump)
{
	SCOPED_FREE char *real = realpath(analysis_path(analysis), NULL);
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	struct stat info;
	if (!real || stat(real, &info) != 0 || !S_ISREG(info.st_mode) || !place_folder(path))
		return false;
	buf_add(dump, real);
	if (make)
		user_folder_make(path);
	SCOPED_BUF key = {0};
	buf_addf(&key, "%s %jd %jd", real, (intmax_t)info.st_size, (intmax_t)info.st_mtime);
	for (size_t i = 0; i < key.len; i++)
		hash = (hash ^ (unsigned char)key.data[i]) * 0x100000001b3;
	buf_addf(path, "/%016" PRIx64, hash);
	return true;
}

/* Undoes text_add_escaped, in place, of what a line of commands can have. False: malformed. */
static bool place_file_unescape(char *text)
{
	char *to = text;
	for (; *text; text++) {
		bool escaped = *text == '\\';
		if (escaped && !strchr("\\nt", *++text))
			return false;
		if (!*text)
			return false;
		*to++ = (char)(escaped && *text == 'n' ? '\n' : escaped && *text == 't' ? '\t' : *text);
	}
	*to = '\0';
	return true;
}

/* ---- All of them */

struct place_file {
	char *path;
	time_t left;
};

static int place_file_order(const void *a, const void *b)
{
	const struct place_file *x = a, *y = b;
	return (x->left < y->left) - (x->left > y->left);
}

/* Returns the files of the places, the newest first, and stores their number. */
static struct place_file *place_files(size_t *count)
{
	struct place_file *files = NULL;
	SCOPED_BUF folder = {0}, path = {0};
	size_t capacity = 0;
	*count = 0;
	DIR *open = place_folder(&folder) ? opendir(buf_text(&folder)) : NULL;
	for (struct dirent *entry; open && (entry = readdir(open));) {
		struct stat info;
		buf_clear(&path);
		buf_addf(&path, "%s/%s", buf_text(&folder), entry->d_name);
		if (lstat(buf_text(&path), &info) != 0 || !S_ISREG(info.st_mode))
			continue;
		MEM_PUSH(files, *count, capacity,
		         (struct place_file){mem_strdup(buf_text(&path)), info.st_mtime});
	}
	if (open)
		closedir(open);
	if (*count)
		qsort(files, *count, sizeof *files, place_file_order);
	return files;
}

static void place_files_free(struct place_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(files[i].path);
	free(files);
}

static void places_prune(void)
{
	size_t count;
	struct place_file *files = place_files(&count);
	for (size_t i = PLACES_KEPT; i < count; i++)
		unlink(files[i].path);
	place_files_free(files, count);
}

/* Returns the path of the dump that a file is about; NULL: it does not say, or it is gone. */
static char *place_file_dump(const char *path, struct stat *info)
{
	SCOPED_BUF text = {0};
	size_t header = strlen(place_file_header), of = strlen(place_file_of);
	char *dump = NULL;
	if (user_file_read(path, PLACE_MOST, &text, NULL) && text.len
	    && strncmp(text.data, place_file_header, header) == 0
	    && strncmp(text.data + header, place_file_of, of) == 0) {
		const char *name = text.data + header + of;
		dump = mem_strndup(name, strcspn(name, "\n"));
		if (!place_file_unescape(dump) || stat(dump, info) != 0 || !S_ISREG(info->st_mode)) {
			free(dump);
			dump = NULL;
		}
	}
	return dump;
}

size_t places_last(struct place_dump *dumps, size_t most)
{
	size_t count, found = 0;
	struct place_file *files = place_files(&count);
	for (size_t i = 0; i < count && found < most; i++) {
		struct stat info;
		char *dump = place_file_dump(files[i].path, &info);
		bool known = !dump;
		for (size_t n = 0; dump && n < found; n++)
			known = known || strcmp(dumps[n].path, dump) == 0;
		if (known)
			free(dump);
		else
			dumps[found++] = (struct place_dump){dump, (uint64_t)info.st_size, files[i].left};
	}
	place_files_free(files, count);
	return found;
}

void places_free(struct place_dump *dumps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(dumps[i].path);
}

/* ---- Writing */

static void place_file_add(const char *name, const struct location *location, struct buf *out)
{
	buf_addf(out, "%s\t%s\t", name, location->ops->name);
	if (location->argument)
		text_add_escaped(out, location->argument, strlen(location->argument), PLACE_MOST);
	buf_addf(out, "\t%zu\t%zu\t%d\t", location->cursor, location->top, location->left);
	text_add_escaped(out, buf_text(&location->words), location->words.len, PLACE_MOST);
	buf_add_char(out, '\n');
}

/* Stores the name of a mark. */
static void place_file_mark_name(size_t mark, char name[2])
{
	name[0] = (char)(mark == MARKS - 1 ? '\'' : mark < 26 ? 'a' + (int)mark : 'A' + (int)mark - 26);
	name[1] = '\0';
}

/* Appends the lines of the file whose marks this explorer has not set: another one may have set
   them since. */
static void place_file_add_others(const struct explorer *explorer, const char *line,
                                  struct buf *out)
{
	for (; *line; line += strcspn(line, "\n") + 1) {
		char name[2];
		for (size_t mark = 0; mark < MARKS; mark++) {
			place_file_mark_name(mark, name);
			if (!explorer->marks[mark].ops && *line == *name && line[1] == '\t')
				buf_add_bytes(out, line, strcspn(line, "\n") + 1);
		}
		if (!strchr(line, '\n'))
			break;
	}
}

/* Appends the line of the tagged set. If another explorer has saved a different one since this one
   began, and this one has tagged, too, the line has the objects of both. */
static void place_file_add_tagged(const struct explorer *explorer, const char *old, struct buf *out)
{
	const char *line = strstr(old, place_file_tagged), *mine = buf_text(&explorer->tagged);
	const char *before = buf_text(&explorer->tagged_before);
	const char *start = line ? line + strlen(place_file_tagged) : "";
	SCOPED_FREE char *theirs = mem_strndup(start, strcspn(start, "\n"));
	SCOPED_BUF set = {0}, text = {0};
	if (!place_file_unescape(theirs))
		*theirs = '\0';
	if (strcmp(mine, before) == 0)
		buf_add(&set, theirs);
	else if (!*theirs || strcmp(theirs, before) == 0 || strcmp(theirs, mine) == 0
	         || strlen(theirs) + strlen(mine) > PLACE_TAGGED)
		buf_add(&set, mine);
	else {
		object_set_add_operand(&set, theirs);
		buf_add(&set, *mine ? " or " : "");
		object_set_add_operand(&set, mine);
	}
	text_add_escaped(&text, buf_text(&set), set.len, PLACE_MOST);
	if (object_set_begins(buf_text(&set)) && text.len <= PLACE_TAGGED
	    && out->len + sizeof place_file_tagged + text.len < PLACE_MOST)
		buf_addf(out, "%s%s\n", place_file_tagged + 1, buf_text(&text));
}

bool place_keeps_tagged(const struct explorer *explorer)
{
	SCOPED_BUF text = {0};
	text_add_escaped(&text, buf_text(&explorer->tagged), explorer->tagged.len, PLACE_MOST);
	return text.len <= PLACE_TAGGED;
}

void place_save(struct explorer *explorer)
{
	SCOPED_BUF path = {0}, dump = {0}, old = {0}, out = {0};
	char name[2];
	size_t header = strlen(place_file_header);
	int fd = place_file_path(explorer->analysis, true, &path, &dump)
	             ? user_file_open(path.data, O_RDWR | O_CREAT | O_NOFOLLOW, NULL)
	             : -1;
	bool known = fd >= 0 && user_file_lock(fd) && user_file_read(path.data, PLACE_MOST, &old, NULL);
	known = known && (!old.len || strncmp(old.data, place_file_header, header) == 0);
	buf_addf(&out, "%s%s", place_file_header, place_file_of);
	text_add_escaped(&out, buf_text(&dump), dump.len, PLACE_MOST);
	buf_add_char(&out, '\n');
	place_file_add("here", view_stack_here(&explorer->view_stack), &out);
	for (size_t mark = 0; mark < MARKS; mark++) {
		place_file_mark_name(mark, name);
		if (explorer->marks[mark].ops)
			place_file_add(name, &explorer->marks[mark], &out);
	}
	if (old.len > header)
		place_file_add_others(explorer, old.data + header, &out);
	place_file_add_tagged(explorer, old.len > header ? old.data + header - 1 : "", &out);
	if (known && out.len <= PLACE_MOST && ftruncate(fd, 0) == 0
	    && pwrite(fd, out.data, out.len, 0) != (ssize_t)out.len && ftruncate(fd, 0) != 0)
		known = false; /* what was cut is left out when it is read */
	if (fd >= 0)
		close(fd);
	places_prune();
}

/* ---- Reading */

/* Returns true if every line is a row number and a command that changes only the view itself. */
static bool place_file_words_are_good(const char *words)
{
	static const char *const good[] = {
		"sort",         "sort-next",        "sort-previous", "reverse",   "filter",
		"column",       "column-hide",      "column-widen",  "toggle",    "right",
		"left",         "toggle-all",       "icicle",        "next-path", "previous-path",
		"next-segment", "previous-segment", "apart",
	};
	for (const char *line = words; *line; line += strcspn(line, "\n") + 1) {
		char *word;
		bool found = false;
		strtoul(line, &word, 10);
		if (word == line || *word++ != ' ' || !strchr(line, '\n'))
			return false;
		size_t len = strcspn(word, " \n");
		for (size_t i = 0; i < sizeof good / sizeof *good; i++)
			found = found || (strlen(good[i]) == len && strncmp(good[i], word, len) == 0);
		if (!found)
			return false;
	}
	return true;
}

/* Reads a place, which waits for all stages if commands are to be repeated in it. False: it is
   malformed. */
static bool place_file_read(char *const field[PLACE_FIELDS], struct location *location)
{
	const struct view_ops *ops = view_find(field[1]);
	if (!ops || !place_file_unescape(field[2]) || !place_file_unescape(field[6])
	    || !place_file_words_are_good(field[6]))
		return false;
	const struct table *table = view_table_shown(ops, field[2]);
	if (ops->of_table && (!table || view_of_table(table) != ops))
		return false;
	long left = strtol(field[5], NULL, 10);
	*location = (struct location){
		.ops = ops,
		.argument = *field[2] ? mem_strdup(field[2]) : NULL,
		.cursor = strtoul(field[3], NULL, 10),
		.top = strtoul(field[4], NULL, 10),
		.left = left > 0 && left < SIDE_MOST ? (int)left : 0,
		.stages = *field[6] ? STAGE_ALL : STAGE_NONE,
	};
	buf_add(&location->words, field[6]);
	return true;
}

/* Takes one line. Returns false if it is malformed. */
static bool place_file_take(struct explorer *explorer, char *line, struct location *here)
{
	char *field[PLACE_FIELDS], name[2];
	int count = 0;
	size_t tagged = strlen(place_file_tagged + 1);
	if (strncmp(line, place_file_tagged + 1, tagged) == 0 && !explorer->tagged.len
	    && place_file_unescape(line + tagged) && object_set_begins(line + tagged)) {
		buf_add(&explorer->tagged, line + tagged);
		buf_add(&explorer->tagged_before, line + tagged);
		return true;
	}
	for (char *at = line; at && count < PLACE_FIELDS; count++) {
		field[count] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
	}
	struct location *location = count == PLACE_FIELDS && strcmp(line, "here") == 0 ? here : NULL;
	for (size_t mark = 0; mark < MARKS && count == PLACE_FIELDS; mark++) {
		place_file_mark_name(mark, name);
		location = strcmp(line, name) == 0 ? &explorer->marks[mark] : location;
	}
	return location && !location->ops && place_file_read(field, location);
}

void place_restore(struct explorer *explorer)
{
	SCOPED_BUF path = {0}, dump = {0}, text = {0};
	struct location here = {0};
	struct err err = {0};
	size_t damaged = 0, header = strlen(place_file_header);
	bool read = place_file_path(explorer->analysis, false, &path, &dump)
	            && user_file_read(path.data, PLACE_MOST, &text, &err);
	if (read && text.len && strncmp(text.data, place_file_header, header) == 0) {
		for (char *line = text.data + header, *end; *line; line = end) {
			end = line + strcspn(line, "\n");
			end += *end ? (*end = '\0', 1) : 0;
			if (strncmp(line, place_file_of, strlen(place_file_of)) != 0)
				damaged += !place_file_take(explorer, line, &here);
		}
	} else if (text.len) {
		err_set(&err, "another version of goheapx has saved it");
	} else if (errno == ENOENT) {
		err_clear(&err);
	}
	bool opened = here.ops && view_stack_open(&explorer->view_stack, &here, &err);
	if (damaged)
		err_set(&err, "its file is malformed");
	if (!explorer->alarm && err.set)
		explorer_message(explorer, "Where you were is not known: %s.", err.text);
	else if (!explorer->alarm && opened)
		explorer_message(explorer, "This is where you were. Backspace leads to the overview%s.",
		                 explorer->tagged.len ? ", :tagged lists what you tagged" : "");
	location_fini(&here);
}
