/* The explorer over a small dump: waiting, going back, marks, completion. */
#include "analysis/analysis.h"
#include "heap/heap.h"
#include "ui/command.h"
#include "ui/explorer.h"

#include "cmocka_all.h"
#include "format/dump_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECTS = 40 };

struct fixture {
	char path[64];
	struct analysis *analysis;
	struct explorer *explorer;
	struct canvas canvas;
};

static void write_dump(const char *path)
{
	SCOPED_DUMP w = {0};
	dump_start(&w, 8, false, "go1.24.4");
	for (uint64_t i = 0; i < OBJECTS; i++) {
		struct dump_field next = {0, 0xc000000000 + (i + 1) * 16};
		dump_object(&w, 0xc000000000 + i * 16, 16, &next, i + 1 < OBJECTS);
	}
	struct dump_field head = {8, 0xc000000000};
	dump_segment(&w, true, 0x500000, 64, &head, 1);
	dump_goroutine(&w, 17, 4, 0, "chan receive");
	dump_frame(&w, 0x7000, 0, "main.worker", 0x401000, 32, NULL, 0);
	dump_end(&w);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(w.out.data, 1, w.out.len, file), w.out.len);
	fclose(file);
}

static int open_dump(void **state)
{
	static struct fixture f;
	strcpy(f.path, "/tmp/goheapx-test-XXXXXX");
	close(mkstemp(f.path));
	write_dump(f.path);
	f.analysis = analysis_new(f.path, NULL);
	f.explorer = explorer_new(f.analysis, (struct explorer_host){0});
	canvas_init(&f.canvas, 80, 24);
	*state = &f;
	return 0;
}

static int close_dump(void **state)
{
	struct fixture *f = *state;
	explorer_free(f->explorer);
	analysis_free(f->analysis);
	canvas_fini(&f->canvas);
	unlink(f->path);
	return 0;
}

/* Runs the analysis up to a stage, like the worker. */
static void reach(struct fixture *f, unsigned stage)
{
	struct err err = {0};
	assert_true(analysis_run(f->analysis, (stage << 1) - 1U, &err));
	explorer_refresh(f->explorer);
}

static bool screen_has(struct fixture *f, const char *text)
{
	SCOPED_BUF screen = {0};
	explorer_draw(f->explorer, &f->canvas);
	canvas_print(&f->canvas, false, &screen);
	return strstr(buf_text(&screen), text) != NULL;
}

TEST_WITH(views_wait_and_open_by_themselves, open_dump, close_dump)
{
	struct fixture *f = *state;
	assert_true(explorer_command(f->explorer, "path 0xc000000020"));
	assert_true(screen_has(f, "This view needs the referrers of the dump."));
	reach(f, STAGE_READ);
	assert_true(screen_has(f, "This view needs the referrers of the dump."));
	reach(f, STAGE_REVERSED);
	assert_string_equal(explorer_view(f->explorer)->ops->name, "path");
	assert_true(screen_has(f, "0xc000000020"));
}

TEST_WITH(what_waits_and_does_not_open_leads_back, open_dump, close_dump)
{
	struct fixture *f = *state;
	reach(f, STAGE_READ);
	assert_true(explorer_command(f->explorer, "path 0xdead"));
	reach(f, STAGE_REVERSED);
	assert_string_equal(explorer_view(f->explorer)->ops->name, "overview");
	assert_true(explorer_has_failed(f->explorer));
}

static void type_every_command(struct fixture *f)
{
	static const char *const arguments[] = {
		"",
		"main.cache",
		"goroutine 17",
		"goroutine=17",
		"0xc000000020",
		"data+0x8",
		"bss+0x8",
		"type=main.T",
		"3",
		"0xc000000020>0xc000000030",
		"size > 16",
	};
	for (size_t group = 0; command_groups[group]; group++)
		for (const struct command *command = command_groups[group]; command->name; command++)
			for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
				SCOPED_BUF line = {0};
				buf_addf(&line, "%s %s", command->name, arguments[i]);
				explorer_command(f->explorer, buf_text(&line));
				explorer_draw(f->explorer, &f->canvas);
			}
}

/* Any command works while the dump is still being read and analyzed. */
TEST_WITH(every_command_may_come_at_any_stage, open_dump, close_dump)
{
	struct fixture *f = *state;
	type_every_command(f);
	for (unsigned stage = STAGE_READ; stage < STAGE_ALL; stage <<= 1) {
		reach(f, stage);
		type_every_command(f);
	}
	assert_int_equal(analysis_stages(f->analysis), STAGE_ALL);
}

/* Types a key on the first row of a view, and what may have been asked for. */
static void type_key_on(struct fixture *f, const char *view, const char *key)
{
	explorer_command(f->explorer, view);
	explorer_refresh(f->explorer);
	explorer_key(f->explorer, key);
	if (explorer_wants_line(f->explorer))
		explorer_line(f->explorer, "");
	explorer_key(f->explorer, "a"); /* the name of a mark, if one is asked for */
	explorer_key(f->explorer, "Esc");
	explorer_refresh(f->explorer);
	explorer_draw(f->explorer, &f->canvas);
}

/* This dump has no executable, so that no line, type or name of a variable is known. */
TEST_WITH(every_key_may_be_typed_on_every_table, open_dump, close_dump)
{
	struct fixture *f = *state;
	static const char *const pages[] = {
		"object 0xc000000020", "goroutine 17", "path 0xc000000020", "hex 0xc000000020",
		"frames 17",           "stack 17",     "slots 17 0",        "referrers 0xc000000020",
		"fields 0xc000000020"};
	for (int end = 0; end <= 1; end++) {
		reach(f, end ? (STAGE_ALL + 1) >> 1 : STAGE_READ);
		for (size_t k = 0; keys[k].key; k++) {
			for (size_t i = 0; tables[i]; i++)
				type_key_on(f, tables[i]->name, keys[k].key);
			for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
				type_key_on(f, pages[i], keys[k].key);
		}
	}
}

/* The keys as they come, and those that the user has bound: what counts is the command. */
TEST_WITH(keys_wait_for_a_view_as_their_commands_say, open_dump, close_dump)
{
	struct fixture *f = *state;
	static const struct {
		const char *keys;
		enum command_pace pace;
	} paces[] = {
		{"Esc ^C ^Z W", PACE_AT_ONCE},
		{"q Q 1 2 3 4 5 6 7 8 C E F", PACE_LEAVES},
		{"/ & = | s", PACE_PROMPTS},
		{": ^P J", PACE_PROMPTS_AT_ONCE},
		{"m ' `", PACE_NAMES},
		{"j k Enter Backspace r o p n N g G Space O U V Y", PACE_WAITS},
	};
	static const char *const own[] = {"key E quit",        "key F types",     "key J ask-command",
	                                  "key O search main", "key U referrers", "key V mark a",
	                                  "key W leave",       "key Y nosuch"};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		assert_true(explorer_command(f->explorer, own[i]));
	for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
		for (const char *key = paces[i].keys; *key; key += strcspn(key, " ") + 1) {
			SCOPED_BUF name = {0};
			buf_addf(&name, "%.*s", (int)strcspn(key, " "), key);
			assert_int_equal(key_pace(f->explorer, buf_text(&name)), paces[i].pace);
			if (!key[strcspn(key, " ")])
				break;
		}
	}
}

TEST_WITH(back_restores_cursor_scroll_and_order, open_dump, close_dump)
{
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	assert_true(explorer_command(f->explorer, "objects; sort address; row 31; follow"));
	assert_string_equal(explorer_view(f->explorer)->ops->name, "object");
	assert_true(explorer_key(f->explorer, "Backspace"));
	assert_string_equal(explorer_view(f->explorer)->ops->name, "list");
	assert_int_equal(explorer_view(f->explorer)->cursor, 30);
	assert_true(explorer_key(f->explorer, "Tab"));
	assert_string_equal(explorer_view(f->explorer)->ops->name, "object");
	assert_false(explorer_command(f->explorer, "forward"));
}

TEST_WITH(close_goes_back_one_view_and_quits_from_the_first, open_dump, close_dump)
{
	static const char *const below[] = {"object", "list"};
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	const char *first = explorer_view(f->explorer)->ops->name;
	assert_true(explorer_command(f->explorer, "objects; object 0xc000000010; types"));
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
		assert_true(explorer_command(f->explorer, "close"));
		assert_string_equal(explorer_view(f->explorer)->ops->name, below[i]);
	}
	assert_true(explorer_command(f->explorer, "close"));
	assert_string_equal(explorer_view(f->explorer)->ops->name, first);
	assert_false(explorer_wants_quit(f->explorer));
	assert_true(explorer_command(f->explorer, "forward; close; close"));
	assert_true(explorer_wants_quit(f->explorer));
}

/* More views than the explorer keeps open: closed views are restored as they were. */
TEST_WITH(distant_views_come_back_as_they_were, open_dump, close_dump)
{
	enum { VIEWS = 120 };
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	assert_true(explorer_command(f->explorer, "objects; sort address; reverse; row 31"));
	struct view *list = explorer_view(f->explorer);
	uint64_t address = list->ops->address(list, list->cursor);
	for (int i = 0; i < VIEWS; i++) {
		char line[64];
		snprintf(line, sizeof line, "object 0x%llx",
		         0xc000000000ull + (unsigned)(i % OBJECTS) * 16);
		assert_true(explorer_command(f->explorer, line));
	}
	assert_true(explorer_command(f->explorer, "back 120"));
	list = explorer_view(f->explorer);
	assert_string_equal(list->ops->name, "list");
	assert_int_equal(list->cursor, 30);
	assert_int_equal(list->ops->address(list, list->cursor), address);
}

/* The worker counts while the accounts are shown; the number appears when it is ready. */
TEST_WITH(pointers_to_nothing_are_told_once_they_are_counted, open_dump, close_dump)
{
	struct fixture *f = *state;
	assert_true(analysis_run(f->analysis, STAGE_NAMED, &(struct err){0}));
	analysis_heap(f->analysis)->dangling_count = 3;
	assert_true(explorer_command(f->explorer, "accounts"));
	assert_false(screen_has(f, "pointers into the heap where no object is"));
	analysis_heap(f->analysis)->dangling_count = 0;
	assert_true(analysis_run(f->analysis, STAGE_LINKED, &(struct err){0}));
	analysis_heap(f->analysis)->dangling_count = 3;
	explorer_refresh(f->explorer);
	assert_true(screen_has(f, "pointers into the heap where no object is"));
}

TEST_WITH(marks_lead_back, open_dump, close_dump)
{
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	assert_true(explorer_command(f->explorer, "objects; row 21; mark a; overview"));
	assert_false(explorer_command(f->explorer, "jump b"));
	assert_false(explorer_command(f->explorer, "mark 7"));
	assert_true(explorer_command(f->explorer, "keys ' a"));
	assert_string_equal(explorer_view(f->explorer)->ops->name, "list");
	assert_int_equal(explorer_view(f->explorer)->cursor, 20);
	assert_true(explorer_command(f->explorer, "last; keys ' '"));
	assert_int_equal(explorer_view(f->explorer)->cursor, 20);
}

/* By the command and by the key; the filter that waits with the view is part of the mark. */
TEST_WITH(a_view_that_loads_can_be_marked, open_dump, close_dump)
{
	struct fixture *f = *state;
	assert_true(explorer_command(f->explorer, "objects; filter size > 16; mark a"));
	assert_non_null(strstr(explorer_last_message(f->explorer), "Marked a"));
	assert_true(explorer_command(f->explorer, "roots; keys m b"));
	reach(f, STAGE_REVERSED);
	assert_true(explorer_command(f->explorer, "overview; jump a"));
	assert_string_equal(explorer_view(f->explorer)->argument, "objects");
	assert_true(explorer_view(f->explorer)->ops->filtered(explorer_view(f->explorer)));
	assert_true(explorer_command(f->explorer, "jump b"));
	assert_string_equal(explorer_view(f->explorer)->argument, "roots");
}

TEST_WITH(wrong_commands_change_nothing, open_dump, close_dump)
{
	static const char *const lines[] = {
		"nonsense",  "goto",         "goto 0x1",      "goto fish", "row 0",    "row 99999",
		"down x",    "sort nothing", "object 0xdead", "set x",     "wait all", "screen",
		"click a b", "jump z",       "0xzz",          "next",      "group",
	};
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	explorer_command(f->explorer, "objects; row 5");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		assert_false(explorer_command(f->explorer, lines[i]));
		assert_true(strlen(explorer_last_message(f->explorer)) > 10);
		assert_string_equal(explorer_view(f->explorer)->ops->name, "list");
		assert_int_equal(explorer_view(f->explorer)->cursor, 4);
	}
}

static void check_kind(struct fixture *f, char kind, const char *line, const char *first,
                       size_t least)
{
	char **words;
	size_t count = explorer_complete(f->explorer, kind, line, strlen(line), &words);
	assert_true(count >= least);
	if (count)
		assert_string_equal(words[0], first);
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	free(words);
}

static void check_candidates(struct fixture *f, const char *line, const char *first, size_t least)
{
	check_kind(f, ':', line, first, least);
}

TEST_WITH(words_are_completed, open_dump, close_dump)
{
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	check_candidates(f, "refe", "references", 1);
	check_candidates(f, "down 3; got", "goto", 1);
	check_candidates(f, "goroutine ", "17", 1);
	check_candidates(f, "search main.w", "main.worker", 1);
	check_candidates(f, "roots bs", "bss", 1);
	check_candidates(f, "objects ret", "retained=", 1);
	check_candidates(f, "objects size=16 m", "minus", 1);
	check_candidates(f, "objects retained=(si", "retained=(size=", 1);
	check_candidates(f, "tag mi", "minus", 1);
	check_candidates(f, "xyz", NULL, 0);
	explorer_command(f->explorer, "objects");
	check_candidates(f, "sort add", "address", 1);
}

/* The first candidate at the end of each line is the expected one. */
TEST_WITH(filters_are_completed, open_dump, close_dump)
{
	static const struct {
		const char *line, *first;
		size_t least;
	} lines[] = {
		{"", "address", 7},
		{"refe", "references", 1},
		{"size > 4 and not re", "reachable", 3},
		{"size ", "!=", 8},
		{"reachable ", "!=", 10},
		{"size > 4k ", "and", 2},
		{"reachable = ", "no", 3},
		{"reachable = y", "yes", 1},
		{"(refe", "(references", 1},
		{"not ((refe", "((references", 1},
		{"(size > 4) o", "or", 1},
		{"\"size\" ", "and", 2},
		{"size = ", "none", 1},
	};
	struct fixture *f = *state;
	reach(f, STAGE_REVERSED);
	check_kind(f, '&', "", NULL, 0); /* no list */
	explorer_command(f->explorer, "objects");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		SCOPED_BUF command = {0};
		check_kind(f, '&', lines[i].line, lines[i].first, lines[i].least);
		buf_addf(&command, "down; filter %s", lines[i].line);
		check_candidates(f, buf_text(&command), lines[i].first, lines[i].least);
	}
	explorer_command(f->explorer, "roots");
	check_kind(f, '&', "kind = b", "bss", 1);
	check_kind(f, '&', "kind = \"b", "\"bss\"", 1);
	check_kind(f, '&', "kind ~ b", "bss", 1);
	explorer_command(f->explorer, "goroutines");
	check_kind(f, '&', "wait_reason = \"ch", "\"chan receive\"", 1);
}
