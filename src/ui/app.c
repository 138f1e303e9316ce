/* The main loop: it sleeps until a key or a task wakes it, and draws the screen. */
#include "ui/app.h"

#include "analysis/index.h"
#include "analysis/series.h"
#include "base/clock.h"
#include "base/mem.h"
#include "ui/command.h"
#include "ui/editor.h"
#include "ui/file.h"
#include "ui/listener.h"
#include "ui/prompt.h"
#include "ui/reopening.h"
#include "ui/restore.h"
#include "ui/state.h"
#include "ui/term.h"

#include <stdlib.h>
#include <string.h>

enum {
	PROGRESS_MS = 150,  /* between two updates of the progress */
	TYPING_SECONDS = 3, /* after a key, in which an agent switches no view */
	HELD_MOST = 4096,   /* maximum number of keys; later ones are dropped */
};
static const uint64_t SECOND = UINT64_C(1000000000);

struct app {
	struct analysis *analysis;
	struct analysis *next;    /* an analysis that is being opened; NULL: none */
	struct analysis *earlier; /* one that `next` will be compared with; NULL: none */
	struct explorer *explorer;
	struct canvas canvas;
	struct wake wake;          /* written by tasks */
	struct listener *listener; /* NULL: none */
	uint64_t key;              /* ns, when the last key came */
	bool prompting, stop, draw;
	struct reopening reopening; /* how `next` is opened */
	bool reopen;                /* it is to be opened */
	struct held {
		struct term_key *key; /* typed while a view loads, in order */
		size_t count, capacity;
		/* of the key whose prompt or name the last of them are; PACE_WAITS: none */
		enum command_pace prompt;
	} held;
};

/* ---- Commands of the driver */

static bool app_set(struct app *app, const char *argument, struct err *err)
{
	if (strcmp(argument, "background dark") == 0 || strcmp(argument, "background light") == 0)
		return term_background(argument[11] == 'd' ? BACKGROUND_DARK : BACKGROUND_LIGHT), true;
	bool on = strlen(argument) > 3 && strcmp(argument + strlen(argument) - 3, " on") == 0;
	size_t len = strcspn(argument, " ");
	if (!on && strcmp(argument + len, " off") != 0)
		return err_set(err, "Say what to set, and on or off: set color off");
	if (strncmp(argument, "ascii ", 6) == 0)
		app->canvas.ascii = on || !term_is_utf8();
	else if (strncmp(argument, "color ", 6) == 0)
		term_color(on);
	else if (strncmp(argument, "mouse ", 6) == 0)
		term_mouse(on);
	else
		return err_set(err, "What can be set is ascii, color, mouse and background");
	return true;
}

static bool app_host_command(void *self, const char *word, const char *argument, struct err *err)
{
	struct app *app = self;
	app->draw = true;
	if (strcmp(word, "set") == 0)
		return app_set(app, argument, err);
	if (strcmp(word, "copy") == 0)
		return term_copy(argument), true;
	if (strcmp(word, "suspend") == 0)
		return app->stop = true;
	if (reopening_take(&app->reopening, word, argument, err))
		return app->reopen = true;
	if (err->set)
		return false;
	if (strcmp(word, "redraw") == 0 || strcmp(word, "screen") == 0)
		return term_redraw(), true;
	return err_set(err, "\"%s\" is for scripts: they run with -e and --script", word);
}

static void app_resize(struct app *app)
{
	int width, height;
	term_size(&width, &height);
	canvas_resize(&app->canvas, width, height);
	app->draw = true;
}

static bool app_shell(void *self, const char *command, const struct buf *input, int *status,
                      struct err *err)
{
	struct app *app = self;
	bool done = term_shell(command, input, status, err);
	app_resize(app);
	return done;
}

static bool app_edit(void *self, const char *path, uint64_t line, int *status, struct err *err)
{
	struct app *app = self;
	bool done = editor_run(path, line, status, err);
	app_resize(app);
	return done;
}

/* ---- The loop */

static void app_draw(struct app *app)
{
	int y = -1, x = 0;
	explorer_draw(app->explorer, &app->canvas);
	if (app->prompting) {
		prompt_draw(&app->canvas, &x);
		y = app->canvas.height - 1;
	} else if (explorer_wants_line(app->explorer)) {
		y = app->canvas.height - 1;
	}
	term_draw(&app->canvas, y, x);
	app->draw = false;
}

/* Returns true for the keys that end a prompt, whatever the user has bound. */
static bool app_key_cancels(const struct term_key *key)
{
	return strcmp(key->name, "Esc") == 0 || strcmp(key->name, "^C") == 0;
}

static void feed_prompt(struct app *app, const struct term_key *key)
{
	bool cancel = app_key_cancels(key);
	if (cancel)
		prompt_cancel();
	enum prompt_state state = cancel ? PROMPT_CANCELLED : prompt_feed(key->bytes);
	if (state == PROMPT_EDITING) {
		explorer_typed(app->explorer, prompt_typed());
		return;
	}
	app->prompting = false;
	explorer_line(app->explorer, state == PROMPT_DONE ? prompt_line() : NULL);
}

static void feed(struct app *app, const struct term_key *key)
{
	app->draw = true;
	if (!app->prompting)
		agent_person(app->explorer);
	if (app->prompting) {
		feed_prompt(app, key);
	} else if (!key_own_command(app->explorer, key->name) && strncmp(key->name, "M-", 2) == 0
	           && !(key->name[2] >= '0' && key->name[2] <= '9')) {
		/* Esc followed quickly by a key: Esc stops what runs, but does not go back. Alt with a
		   digit is a count. */
		explorer_key(app->explorer, "^C");
		explorer_key(app->explorer, key->name + 2);
	} else {
		explorer_key(app->explorer, key->name);
	}
	char kind = explorer_wants_line(app->explorer);
	if (!app->prompting && kind) {
		app->prompting = true;
		prompt_begin(app->explorer, kind);
	}
}

/* ---- Keys typed while a view loads or a search runs */

/* Returns true while a view loads, or a search is about to move the cursor. */
static bool app_waits(const struct app *app)
{
	return view_stack_waits(&app->explorer->view_stack) || app->explorer->search.running;
}

/* Returns true if the key must wait for the view or the search. */
static bool app_holds(const struct app *app, const struct term_key *key)
{
	const struct held *held = &app->held;
	if (app->prompting || !(held->count || app_waits(app)))
		return false;
	if (held->prompt)
		return !app_key_cancels(key);
	enum command_pace pace = key_pace(app->explorer, key->name);
	return pace == PACE_PROMPTS_AT_ONCE ? held->count : pace != PACE_AT_ONCE && pace != PACE_LEAVES;
}

static void app_hold(struct app *app, const struct term_key *key)
{
	struct held *held = &app->held;
	if (held->count == HELD_MOST)
		return;
	MEM_PUSH(held->key, held->count, held->capacity, *key);
	if (!held->prompt)
		held->prompt = key_pace(app->explorer, key->name);
	else if (held->prompt == PACE_NAMES || strcmp(key->name, "Enter") == 0)
		held->prompt = PACE_WAITS;
}

static bool app_takes_keys(const struct app *app)
{
	return !explorer_wants_quit(app->explorer) && !app->stop && !app->reopen;
}

/* Processes waiting keys, until one of them opens a view that loads or begins a search. */
static void app_feed_held(struct app *app)
{
	struct held *held = &app->held;
	size_t fed = 0;
	while (fed < held->count && app_takes_keys(app) && (app->prompting || !app_waits(app)))
		feed(app, &held->key[fed++]);
	held->count -= fed;
	memmove(held->key, held->key + fed, held->count * sizeof *held->key);
	held->prompt = held->count ? held->prompt : PACE_WAITS;
}

static void feed_all(struct app *app)
{
	struct term_key key;
	while (app_takes_keys(app) && term_key(&key)) {
		app->key = clock_now();
		if (app_holds(app, &key)) {
			app_hold(app, &key);
			continue;
		}
		app->held.count = 0; /* a key that acts at once discards the waiting keys */
		app->held.prompt = PACE_WAITS;
		feed(app, &key);
	}
}

/* Returns true while the person types, or has just done so: then an agent switches no view. */
static bool app_is_occupied(const struct app *app)
{
	const struct explorer *explorer = app->explorer;
	return (app->key && clock_now() / SECOND - app->key / SECOND <= TYPING_SECONDS)
	       || app->prompting || app->held.count || explorer->wants_key || explorer->count
	       || explorer->search.running;
}

/* Returns true if the file could not be read at all. */
static bool has_no_dump(const struct analysis *analysis, struct err *err)
{
	return !analysis_stages(analysis) && analysis_failed(analysis, err);
}

static void app_drop_next(struct app *app)
{
	analysis_free(app->next);
	analysis_free(app->earlier);
	app->next = app->earlier = NULL;
}

/* Begins to read what a command asks for: of an earlier dump all, before the current one. */
static void app_open_next(struct app *app)
{
	static const char *const says[] = {
		[REOPENING_SAME] = "The file is being read anew.",
		[REOPENING_SNAPSHOT] = "A snapshot is being taken.",
		[REOPENING_SINCE] = "The earlier dump is being read.",
		[REOPENING_OTHER] = "The file is being read.",
	};
	app->reopen = false;
	app_drop_next(app);
	app->earlier = reopening_earlier(&app->reopening, app->analysis);
	if (!app->earlier)
		app->next = reopening_next(&app->reopening, app->analysis);
	analysis_start(app->earlier ? app->earlier : app->next, &app->wake);
	explorer_message(app->explorer, "%s", says[app->reopening.kind]);
}

/* Replaces the current analysis once the file has proved to be a dump, and what it is compared with
   is read. */
static void app_show_next(struct app *app)
{
	struct err err = {0};
	struct analysis *read = app->next ? app->next : app->earlier, *gone = NULL;
	bool all = analysis_has(app->analysis, STAGE_ALL),
		 other = app->reopening.kind == REOPENING_OTHER;
	if (has_no_dump(read, &err) || (!app->next && analysis_failed(read, &err))) {
		explorer_fail(app->explorer, &err);
		app_drop_next(app);
	} else if (!app->next && analysis_has(read, STAGE_ALL)) {
		app->next = reopening_next(&app->reopening, app->analysis);
		analysis_start(app->next, &app->wake);
	} else if (app->next && analysis_stages(read)) {
		if (other)
			place_save(app->explorer);
		explorer_rest(app->explorer);
		/* Earlier dumps go to the next analysis, unless the current one is unfinished. */
		if (!reopening_follow(&app->reopening, read, all ? app->analysis : NULL, app->earlier,
		                      &gone, &err)) {
			explorer_fail(app->explorer, &err);
			app_drop_next(app);
		} else {
			gone = all ? gone : app->analysis;
			app->analysis = app->next;
			app->next = app->earlier = NULL;
			explorer_reopen(app->explorer, app->analysis, other);
			analysis_free(gone);
		}
	} else {
		return;
	}
	app->draw = true;
}

/* Runs one round: waits, processes events, draws. False: the end. */
static bool app_turn(struct app *app)
{
	int fd = app->listener ? listener_fd(app->listener) : wake_fd(&app->wake);
	unsigned news = term_wait(fd, explorer_busy(app->explorer) ? PROGRESS_MS : -1);
	if (news & TERM_FD)
		wake_drain(&app->wake);
	if (news & TERM_RESIZED)
		app_resize(app);
	if (news & TERM_KEY)
		feed_all(app);
	if (news & TERM_FD && app->listener && app_takes_keys(app))
		app->draw |= listener_serve(app->listener, app->explorer, app_is_occupied(app));
	if (app->reopen)
		app_open_next(app);
	if (app->next || app->earlier)
		app_show_next(app);
	app->draw |= explorer_refresh(app->explorer);
	if (app->held.count)
		app_feed_held(app);
	if (app->stop || news & TERM_STOP) {
		app->stop = false;
		term_suspend();
		app_resize(app);
	}
	if (has_no_dump(app->analysis, NULL) || news & TERM_GONE || explorer_wants_quit(app->explorer))
		return false;
	if (app->draw)
		app_draw(app);
	if (!explorer_busy(app->explorer))
		analysis_keep_beside(app->analysis);
	return true;
}

static void app_do_run(struct app *app, const struct app_options *options)
{
	canvas_init(&app->canvas, 1, 1);
	app->canvas.ascii = options->ascii || !term_is_utf8();
	app_resize(app);
	if (options->no_color)
		term_color(false);
	if (options->no_mouse)
		term_mouse(false);
	app->explorer = explorer_new(app->analysis, (struct explorer_host){.self = app,
	                                                                   .wake = &app->wake,
	                                                                   .command = app_host_command,
	                                                                   .writers = options->writers,
	                                                                   .write = file_write,
	                                                                   .shell = app_shell,
	                                                                   .edit = app_edit});
	config_load(app->explorer);
	if (!options->fresh)
		place_restore(app->explorer);
	if (term_fallback() && !explorer_has_failed(app->explorer))
		explorer_message(app->explorer, "Terminals of type \"%s\" are unknown here: used as %s.",
		                 getenv("TERM"), term_fallback());
	if (app->listener)
		buf_addf(&app->explorer->notice, "Agents can show views here: goheapx mcp --attach %s",
		         listener_path(app->listener));
	app_draw(app);
	while (app_turn(app))
		;
	if (!has_no_dump(app->analysis, NULL))
		place_save(app->explorer);
	prompt_fini();
	free(app->held.key);
	buf_free(&app->reopening.name);
	app_drop_next(app);
	explorer_free(app->explorer);
	canvas_fini(&app->canvas);
}

int app_run(struct analysis **analysis, const struct app_options *options)
{
	struct app app = {.analysis = *analysis};
	struct err err = {0};
	if (!wake_open(&app.wake, &err) || !term_open(&err)) {
		err_tell(&err, NULL);
		return 2;
	}
	if (options->listen && !(app.listener = listener_open(wake_fd(&app.wake), &err))) {
		term_close();
		err_tell(&err, NULL);
		return 2;
	}
	analysis_start(app.analysis, &app.wake);
	app_do_run(&app, options);
	*analysis = app.analysis;
	listener_close(app.listener);
	term_close();
	bool failed = has_no_dump(*analysis, &err); /* before analysis_stop, which also makes it fail */
	analysis_stop(*analysis);
	restore_end_by_signal();
	wake_close(&app.wake);
	if (!failed)
		return 0;
	err_tell(&err, analysis_about(*analysis));
	return 2;
}
