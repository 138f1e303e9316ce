/* The section of the manual on frequent questions, and the keys that answer them. A test types
   these keys. */
#include "main/manual.h"

#include <stddef.h>

enum { STEPS = 2 };

static const struct {
	const char *question;
	struct {
		const char *keys;  /* from the overview, or from the view after the previous keys */
		const char *typed; /* an example for the prompt that the last key opens; NULL: none */
	} step[STEPS];
} questions[] = {
	{"What uses the memory, and what piles up?", {{"1", NULL}}},
	{"Where does all of it lie, by path?", {{"6", NULL}}},
	{"Who owns it?", {{"7", NULL}}},
	{"Which types take most, and how many objects has each?", {{"5", NULL}}},
	{"What do goroutines wait for, how many, and where?", {{"2", NULL}}},
	{"Which maps, slices and channels are large?", {{"C", NULL}}},
	{"What does a variable, a field or an entry hold?", {{"=", "main.cache.Nodes[0]"}}},
	{"What does a goroutine wait on and hold?", {{"=", "goroutine 17"}}},
	{"What is in a field of all objects of a type?",
     {{"5 /", "main.User"}, {"Enter c", ".Country"}}},
	{"How many objects are large, and what do they take?",
     {{"4 &", "size >= 256k"}, {":", "group sum(size)"}}},
	{"What has grown since an earlier dump?", {{"8", NULL}}},
	{"Which goroutines can never wake up?", {{":", "lost"}}},
	{"Which strings are there many times?", {{":", "duplicates"}}},
};

void manual_questions(struct buf *out)
{
	buf_add(out, ".Sh QUESTIONS\n"
	             "What is asked most, and the keys that answer it, from the overview on; behind "
	             "those that ask for a line, an example of one.\n"
	             ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		buf_addf(out, ".It %s\n", questions[i].question);
		for (size_t k = 0; k < STEPS && questions[i].step[k].keys; k++) {
			buf_addf(out, ".Ic \"%s\"\n", questions[i].step[k].keys);
			if (questions[i].step[k].typed)
				buf_addf(out, ".Li \"%s\"\n", questions[i].step[k].typed);
		}
	}
	buf_add(out, ".El\n");
}
