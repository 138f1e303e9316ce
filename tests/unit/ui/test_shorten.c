/* What goes first of a name that is too long, and what is no name. */
#include "base/shorten.h"

#include "base/buf.h"
#include "base/text.h"
#include "ui/canvas.h"

#include "cmocka_all.h"

#include <string.h>

static void packages_lose_their_paths(void **state)
{
	static const char *const names[][2] = {
		{"github.com/prometheus/client_golang/prometheus.CounterVec", "prometheus.CounterVec"},
		{"map[a/b.K][]*c/d/e.V", "map[b.K][]*e.V"},
		{"atomic.Pointer[net/http.response]", "atomic.Pointer[http.response]"},
		{"net/http.(*conn).serve", "http.(*conn).serve"},
		{"func(net/http.ResponseWriter, *net/http.Request)",
	     "func(http.ResponseWriter, *http.Request)"},
		{"a/b..typeAssert.0", "b..typeAssert.0"},
		{"goroutine 7 net/http.(*T).f server.go:12 +0x8",
	     "goroutine 7 http.(*T).f server.go:12 +0x8"},
		{"gopkg.in/yaml.v3.Node", "yaml.v3.Node"},
		{"äö/ü.T", "ü.T"},
		{"target of *net/http.?@0x6bb4a0 0x20", "target of *http.?@0x6bb4a0 0x20"},
	};
	static const char *const same[] = {
		"",
		"main.T",
		"github.com/prometheus/client_golang/prometheus",
		"/usr/lib/go/src/net/http.go",
		"http://a.example/b.html",
		"\"GET /a/b.html\" main.T",
		"main.m[\"a/b.T",
		"yes/no",
		"1/2.5",
		"a/.T",
		"net/http.",
		"a//b.T",
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct buf out = {0};
		shorten_paths(names[i][0], &out);
		assert_string_equal(buf_text(&out), names[i][1]);
		buf_free(&out);
	}
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		struct buf out = {0};
		shorten_paths(same[i], &out);
		assert_string_equal(buf_text(&out), same[i]);
		buf_free(&out);
	}
}

static void parts_go_only_where_it_must_be(void **state)
{
	static const struct {
		const char *text;
		int columns;
		const char *expected;
	} steps[] = {
		{"sync/atomic.Pointer[net/http.response]", 38, "sync/atomic.Pointer[net/http.response]"},
		{"sync/atomic.Pointer[net/http.response]", 37, "atomic.Pointer[http.response]"},
		{"sync/atomic.Pointer[net/http.response]", 28, "atomic.Pointer[...]"},
		{"sync/atomic.Pointer[net/http.response]", 5, "atomic.Pointer[...]"},
		{"m.Map[string,m.List[int]].Get", 20, "m.Map[...].Get"},
		{"map[string]m.List[*m.Long]", 20, "map[string]m.List[...]"},
		{"main.a.Nodes[17].Watchers[7]", 8, "main.a.Nodes[17].Watchers[7]"},
		{"main.m[\"some key\"]", 8, "main.m[\"some key\"]"},
		{"[17]main.Session", 8, "[17]main.Session"},
		{"m.List[int]", 8, "m.List[int]"},
		{"m.List[string", 8, "m.List[string"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct buf out = {0};
		shorten_to(steps[i].text, steps[i].columns, &out);
		assert_string_equal(buf_text(&out), steps[i].expected);
		buf_free(&out);
	}
}

/* The last name is what tells, as long as something of what is before it is left. */
static void a_cell_keeps_the_last_name(void **state)
{
	static const struct {
		const char *text;
		int width;
		const char *expected;
	} cells[] = {
		{"a/raft.(*NetworkTransport).handleCommand", 24, "raft.(*Ne….handleCommand"},
		{"a/raft.(*NetworkTransport).handleCommand", 20, "raft.(*Net…leCommand"},
		{"250 x main.f held by bss+0x58", 20, "250 x main… bss+0x58"},
		{"abcdefghijklmnop", 8, "abcd…nop"},
		{"abcdefghijklmnop", 1, "…"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		struct canvas canvas;
		struct buf row = {0};
		canvas_init(&canvas, 80, 1);
		canvas_middle(&canvas, 0, 0, cells[i].width, STYLE_PLAIN, cells[i].text);
		canvas_row(&canvas, 0, &row);
		assert_string_equal(buf_text(&row), cells[i].expected);
		canvas_fini(&canvas);
		buf_free(&row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_lose_their_paths),
		cmocka_unit_test(parts_go_only_where_it_must_be),
		cmocka_unit_test(a_cell_keeps_the_last_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
