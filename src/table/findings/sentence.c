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

static const char usual[] = "Worth a look: {what}[, {bytes}][: {name}]. {why}.";

static bool sentence_frees_less(const struct finding *finding)
{
	return finding->frees_known && finding->frees < finding->bytes;
}

static void sentence_add_threads(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	text_add_number_of(out, finding->count, THREAD_WORD, THREADS_WORD);
}

static void sentence_add_what(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	buf_add(out, buf_text(&finding->what));
}

static void sentence_add_name(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	shorten_to(buf_text(&finding->name), SHOWN, out);
}

static void sentence_add_also(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	shorten_to(buf_text(&finding->held_by), SHOWN, out);
}

static void sentence_add_why(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	buf_add(out, finding->kind->why);
}

static void sentence_add_share(const struct finding *finding, uint64_t whole, struct buf *out)
{
	if (finding->of_heap)
		text_add_share(out, finding->bytes, whole);
}

static void sentence_add_bytes(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	if (finding->bytes)
		text_add_size(out, finding->bytes);
}

static void sentence_add_frees(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(void)whole;
	if (sentence_frees_less(finding))
		text_add_size(out, finding->frees);
}

static void sentence_add_kept(const struct finding *finding, uint64_t whole, struct buf *out)
{
	(sentence_frees_less(finding) ? sentence_add_frees : sentence_add_bytes)(finding, whole, out);
}

static const struct {
	const char *name;
	void (*add)(const struct finding *finding, uint64_t whole, struct buf *out);
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
static size_t sentence_add_word(const struct finding *finding, uint64_t whole, const char *text,
                                struct buf *out)
{
	size_t length = strcspn(text, "}");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == length && memcmp(text, words[i].name, length) == 0)
			words[i].add(finding, whole, out);
	return length;
}

/* Appends a pattern with the words of a finding for its {words}. What stands between brackets is
   left out if a word in it is empty. */
static void sentence_add(const struct finding *finding, uint64_t whole, struct buf *out)
{
	const char *pattern = finding->kind->says ? finding->kind->says : usual;
	size_t start = out->len;
	bool lacks = false;
	for (const char *at = pattern; *at; at++) {
		size_t before = out->len;
		if (*at == '[') {
			start = out->len;
			lacks = false;
		} else if (*at == ']' && lacks) {
			buf_truncate(out, start);
		} else if (*at == '{') {
			at += 1 + sentence_add_word(finding, whole, at + 1, out);
			lacks = lacks || out->len == before;
		} else if (*at != ']') {
			buf_add_char(out, *at);
		}
	}
}

/* Returns true if a finding with a mark that is no waste stands out. */
static bool sentence_is_due(const struct finding *finding, uint64_t whole)
{
	const char *mark = finding->kind->mark;
	return *mark && *mark != '~'
	       && (finding->bytes >= whole / 100 * MUCH || finding->count >= MANY);
}

bool findings_add_sentence(const struct rows *rows, struct buf *out)
{
	const struct findings *findings = rows->data;
	const struct finding *finding = findings->finding, *end = finding + findings->count;
	while (finding < end && !sentence_is_due(finding, findings->whole))
		finding++;
	bool due = finding < end;
	if (!due)
		finding = findings->finding;
	if (due || finding->bytes >= findings->whole / 100 * MUCH) {
		sentence_add(finding, findings->whole, out);
	} else {
		buf_add(out, "Nothing stands out: the largest finding has ");
		text_add_share(out, finding->bytes, findings->whole);
		buf_add(out, " of the reachable heap.");
	}
	return due;
}
