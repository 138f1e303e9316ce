/* Any lines as what a person types into the explorer: keys by their names, after a colon commands.
   The first two bytes are the size of the screen, the third chooses the dump. */
#include "fuzz.h"
#include "tiny.h"

#include "ui/explorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 3, LINES = 24, WIDTH = 100, HEIGHT = 30 };

/* The dumps are analysed once: nothing that the explorer does may change them. */
static struct analysis *dump_of(uint8_t query)
{
	static struct analysis *dumps[TINY_LAYOUTS];
	enum tiny_layout layout = query % TINY_LAYOUTS;
	if (!dumps[layout]) {
		struct dump_writer w;
		tiny_write(&w, &(struct tiny){.layout = layout, .pointer_size = 8, .version = "go1.24.4"});
		dumps[layout] = fuzz_analysis(w.out.data, w.out.len);
		fuzz_check(dumps[layout] != NULL);
		dump_free(&w);
	}
	return dumps[layout];
}

static bool host_command(void *self, const char *word, const char *argument, struct err *err)
{
	struct canvas *canvas = self;
	int width, height;
	if (strcmp(word, "size") != 0 || sscanf(argument, "%3dx%3d", &width, &height) != 2)
		return err_set(err, "There is no \"%s\" here", word);
	canvas_resize(canvas, width % WIDTH, height % HEIGHT);
	return true;
}

static void check_screen(struct explorer *explorer, struct canvas *canvas)
{
	SCOPED_BUF row = {0};
	explorer_draw(explorer, canvas);
	for (int y = 0; y < canvas->height; y++) {
		buf_clear(&row);
		canvas_row(canvas, y, &row);
		fuzz_check_visible(buf_text(&row));
	}
}

static void complete(struct explorer *explorer, char kind, const char *line)
{
	char **candidates;
	size_t count = explorer_complete(explorer, kind, line, strlen(line), &candidates);
	for (size_t i = 0; i < count; i++)
		free(candidates[i]);
	free(candidates);
}

static void type(struct explorer *explorer, const char *line)
{
	if (*line == ':') {
		complete(explorer, ':', line + 1);
		complete(explorer, '&', line + 1);
		explorer_command(explorer, line + 1);
	} else if (*line) {
		explorer_key(explorer, line);
	}
}

static void type_lines(struct explorer *explorer, struct canvas *canvas, const char *text)
{
	for (int i = 0; i < LINES && *text && !explorer_wants_quit(explorer); i++) {
		SCOPED_BUF line = {0};
		size_t len = strcspn(text, "\n");
		buf_add_bytes(&line, text, len);
		type(explorer, buf_text(&line));
		check_screen(explorer, canvas);
		text += len + (text[len] == '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED_BUF text = {0};
	struct canvas canvas;
	if (size < HEADER)
		return 0;
	setenv("XDG_STATE_HOME", "/dev/null", 1); /* notes are written nowhere */
	buf_add_bytes(&text, data + HEADER, size - HEADER);
	canvas_init(&canvas, data[0] % WIDTH, data[1] % HEIGHT);
	struct explorer_host host = {&canvas, NULL, host_command};
	struct explorer *explorer = explorer_new(dump_of(data[2]), host);
	check_screen(explorer, &canvas);
	type_lines(explorer, &canvas, buf_text(&text));
	explorer_free(explorer);
	canvas_fini(&canvas);
	return 0;
}
