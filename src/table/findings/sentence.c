/* Fills the pattern of a kind of finding with the words of one. */
#include "table/findings/sentence.h"
#include "table/findings/finding.h"

#include "base/text.h"
#include "format/runtime.h"
#include "table/naming/shorten.h"

#include <string.h>

enum {
	MUCH = 10,  /* percent of the reachable bytes: what stands out */
	MANY = 100, /* objects or threads that can never run: so many stand out, too */
	SHOWN = 56, /* columns of a place */
};

static const char usual[] = "{name} has {bytes}: {what}.";

/* How a sentence is made to fit. */
struct sentence_form {
	uint64_t whole; /* the reachable bytes */
	int name;       /* most columns of a name; it may be cut if they are fewer than usual */
	int parts;      /* of those in brackets, so many are left out, the last ones first */
};

static bool sentence_frees_less(const struct finding *finding)
{
	return finding->frees_known && finding->frees < finding->bytes;
}

static void sentence_add_threads(const struct finding *finding, const struct sentence_form *form,
                                 struct buf *out)
{
	(void)form;
	text_add_number_of(out, finding->count, THREAD_WORD, THREADS_WORD);
}

static void sentence_add_what(const struct finding *finding, const struct sentence_form *form,
                              struct buf *out)
{
	if (form->name < SHOWN)
		shorten_to(buf_text(&finding->what), SHOWN, out);
	else
		buf_add(out, buf_text(&finding->what));
}

static void sentence_add_short(const char *name, const struct sentence_form *form, struct buf *out)
{
	SCOPED_BUF shorter = {0};
	shorten_to(name, form->name, &shorter);
	if (form->name < SHOWN)
		shorten_cut(buf_text(&shorter), form->name, out);
	else
		buf_add(out, buf_text(&shorter));
}

static void sentence_add_name(const struct finding *finding, const struct sentence_form *form,
                              struct buf *out)
{
	sentence_add_short(buf_text(&finding->name), form, out);
}

static void sentence_add_also(const struct finding *finding, const struct sentence_form *form,
                              struct buf *out)
{
	sentence_add_short(buf_text(&finding->held_by), form, out);
}

static void sentence_add_why(const struct finding *finding, const struct sentence_form *form,
                             struct buf *out)
{
	(void)form;
	buf_add(out, finding->kind->why);
}

static void sentence_add_share(const struct finding *finding, const struct sentence_form *form,
                               struct buf *out)
{
	if (finding->of_heap)
		text_add_share(out, finding->bytes, form->whole);
}

static void sentence_add_bytes(const struct finding *finding, const struct sentence_form *form,
                               struct buf *out)
{
	(void)form;
	if (finding->bytes)
		text_add_size(out, finding->bytes);
}

static void sentence_add_frees(const struct finding *finding, const struct sentence_form *form,
                               struct buf *out)
{
	(void)form;
	if (sentence_frees_less(finding))
		text_add_size(out, finding->frees);
}

static void sentence_add_kept(const struct finding *finding, const struct sentence_form *form,
                              struct buf *out)
{
	(sentence_frees_less(finding) ? sentence_add_frees : sentence_add_bytes)(finding, form, out);
}

static const struct {
	const char *name;
	void (*add)(const struct finding *finding, const struct sentence_form *form, struct buf *out);
} words[] = {
	{"threads", sentence_add_threads}, /* "1,500" and what the program calls them */
	{"what", sentence_add_what},
	{"name", sentence_add_name},
	{"also", sentence_add_also}, /* who holds its objects, too */
	{"why", sentence_add_why},
	{"share", sentence_add_share},
	{"bytes", sentence_add_bytes},
	{"frees", sentence_add_frees}, /* nothing if all bytes are freed */
	{"kept", sentence_add_kept},   /* the lesser of both */
};

/* Adds a word that the text begins with, and returns its length. */
static size_t sentence_add_word(const struct finding *finding, const struct sentence_form *form,
                                const char *text, struct buf *out)
{
	size_t length = strcspn(text, "}");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == length && memcmp(text, words[i].name, length) == 0)
			words[i].add(finding, form, out);
	return length;
}

static const char *sentence_pattern(const struct finding *finding)
{
	return finding->kind->says ? finding->kind->says : usual;
}

static int sentence_parts(const char *pattern)
{
	int parts = 0;
	for (; *pattern; pattern++)
		parts += *pattern == '[';
	return parts;
}

/* Appends a pattern with the words of a finding for its {words}. What stands between brackets is
   left out if a word in it is empty, or to make the sentence fit. */
static void sentence_add(const struct finding *finding, const struct sentence_form *form,
                         struct buf *out)
{
	const char *pattern = sentence_pattern(finding);
	int left = sentence_parts(pattern) - form->parts;
	size_t start = out->len;
	bool lacks = false;
	for (const char *at = pattern; *at; at++) {
		size_t before = out->len;
		if (*at == '[') {
			start = out->len;
			lacks = left-- <= 0;
		} else if (*at == ']' && lacks) {
			buf_truncate(out, start);
		} else if (*at == '{') {
			at += 1 + sentence_add_word(finding, form, at + 1, out);
			lacks = lacks || out->len == before;
		} else if (*at != ']') {
			buf_add_char(out, *at);
		}
	}
}

/* Returns the number of lines that a text takes. */
static int sentence_lines(const char *text, int columns)
{
	int lines = 0;
	for (; *text; lines++) {
		text += text_line(text, columns);
		text += strspn(text, " ");
	}
	return lines;
}

/* Appends the sentence about a finding so that it fits: names are shortened first, then parts are
   left out. */
static void sentence_fit(const struct finding *finding, uint64_t whole, int lines, int columns,
                         struct buf *out)
{
	static const int names[] = {SHOWN, 44, 32, 24};
	int parts = sentence_parts(sentence_pattern(finding));
	size_t start = out->len;
	for (int left_out = 0; left_out <= parts; left_out++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			buf_truncate(out, start);
			sentence_add(finding, &(struct sentence_form){whole, names[i], left_out}, out);
			if (!lines || sentence_lines(buf_text(out) + start, columns) <= lines)
				return;
		}
}

/* Returns true if a finding with a mark that is no waste stands out. */
static bool sentence_is_due(const struct finding *finding, uint64_t whole)
{
	const char *mark = finding->kind->mark;
	return *mark && *mark != '~'
	       && (finding->bytes >= whole / 100 * MUCH || finding->count >= MANY);
}

bool findings_add_sentence(const struct rows *rows, int lines, int columns, struct buf *out)
{
	const struct findings *findings = rows->data;
	const struct finding *finding = findings->finding, *end = finding + findings->count;
	while (finding < end && !sentence_is_due(finding, findings->whole))
		finding++;
	bool due = finding < end;
	if (!due)
		finding = findings->finding;
	if (due || finding->bytes >= findings->whole / 100 * MUCH) {
		sentence_fit(finding, findings->whole, lines, columns, out);
	} else {
		buf_add(out, "Nothing stands out: the largest finding has ");
		text_add_share(out, finding->bytes, findings->whole);
		buf_add(out, " of the reachable heap.");
	}
	return due;
}

size_t findings_count_large(const struct rows *rows)
{
	const struct findings *findings = rows->data;
	size_t count = 0;
	while (count < findings->count && !findings->finding[count].is_small)
		count++;
	return count;
}

void findings_add_rest(const struct rows *rows, size_t first, struct buf *out)
{
	const struct findings *findings = rows->data;
	bool small = first >= findings_count_large(rows), other = false;
	bool one = first + 1 == findings->count;
	uint64_t bytes = 0;
	for (; first < findings->count; first++) {
		bytes += findings->finding[first].bytes;
		other = other || findings->finding[first].kind->rank == FINDING_LAST;
	}
	buf_addf(out, " more%s%s: %s%s%s", small ? " below 1%" : "",
	         small && other ? ", or of the runtime and libraries" : "", one ? "" : "up to ",
	         text_size(bytes).text, one ? "" : " in all");
}
