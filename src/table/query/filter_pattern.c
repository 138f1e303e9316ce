#include "table/query/filter_pattern.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 500, DEPTH = 50, PARTS = 2000 };

/* The number of parts of a pattern after all repetitions are expanded. A group counts as one part
   of the enclosing group. */
struct size {
	struct level {
		/* parts before the last one, and in the last one, which can be repeated */
		unsigned long before, last;
	} level[DEPTH];
	size_t depth;
};

static void filter_pattern_add_part(struct size *size, unsigned long parts)
{
	struct level *level = &size->level[size->depth];
	level->before += level->last;
	level->last = parts;
}

static void end_group(struct size *size)
{
	const struct level *level = &size->level[size->depth];
	unsigned long parts = level->before + level->last;
	if (size->depth == 0)
		return;
	size->depth--;
	filter_pattern_add_part(size, parts);
}

/* Returns one more than the largest number of "{2,5}" or "{2,}". */
static unsigned long repeats_of(const char *brace)
{
	unsigned long most = 1;
	for (const char *at = brace + 1; isdigit((unsigned char)*at) || *at == ',';) {
		char *end;
		unsigned long number = strtoul(at, &end, 10);
		most = number > most ? number : most;
		at = end + (*end == ',');
	}
	return most > PARTS ? PARTS + 1 : most + 1;
}

/* Returns the "]" that ends the bracket expression at "[", or the last character. */
static const char *skip_bracket(const char *at)
{
	at += at[1] == '^';
	at += at[1] == ']';
	for (at++; *at && *at != ']'; at++) {
		char kind = at[1];
		if (*at != '[' || !kind || !strchr(":.=", kind))
			continue;
		for (at += 2; *at && !(*at == kind && at[1] == ']'); at++)
			;
		at += *at != '\0';
	}
	return *at ? at : at - 1;
}

/* Counts one character or construct; returns its last character. */
static const char *filter_pattern_count(struct size *size, const char *at)
{
	struct level *level = &size->level[size->depth];
	const char *end;
	switch (*at) {
	case '(':
		size->level[++size->depth] = (struct level){0, 0};
		return at;
	case ')':
		end_group(size);
		return at;
	case '+':
		level->last *= 2;
		return at;
	case '{':
		level->last *= repeats_of(at);
		end = at + 1 + strspn(at + 1, "0123456789,");
		return *end == '}' ? end : end - 1;
	case '*':
	case '?':
		level->last++;
		return at;
	}
	filter_pattern_add_part(size, 1);
	return *at == '[' ? skip_bracket(at) : at + (*at == '\\' && at[1]);
}

bool pattern_is_bounded(const char *text, struct err *err)
{
	struct size size = {0};
	bool repeated = false;
	if (strlen(text) > LONGEST)
		return err_set(err, "a pattern of at most %d characters was expected", LONGEST);
	for (const char *at = text; *at; at++) {
		if (*at == '\\' && isdigit((unsigned char)at[1]))
			return err_set(err, "a pattern without references back was expected");
		bool repeats = strchr("*+?{", *at) != NULL;
		if (repeats && repeated)
			return err_set(err, "a pattern that repeats each part once was expected");
		repeated = repeats;
		if (*at == '(' && size.depth + 1 == DEPTH)
			return err_set(err, "a pattern with less nesting was expected");
		at = filter_pattern_count(&size, at);
		if (size.level[size.depth].before + size.level[size.depth].last > PARTS)
			return err_set(err, "a pattern that repeats less was expected");
	}
	return true;
}
