/* The reasons why a process cannot be traced, under each setting of Yama. */
#include "cmocka_all.h"

#include <errno.h>

#include "base/process/state.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { PID = 1234, OURS = 1000, OTHER = 1001, ROOT = 0, NO_YAMA = -1 };

/* Checks the message that a user receives about a process of OURS. */
static void check_told(unsigned user, int scope, const char *part)
{
	struct process_state state = {.name = "server", .letter = 'S', .group = PID, .user = OURS};
	struct err err = {0};
	assert_false(process_denied(&state, PID, user, scope, &err));
	assert_true(err.set);
	assert_non_null(strstr(err.text, "1234 (server)"));
	if (!strstr(err.text, part))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

TEST(its_own_user_is_told_what_yama_wants)
{
	check_told(OURS, NO_YAMA, "Run goheapx as root; in a container");
	check_told(OURS, 0, "Permission denied");
	check_told(OURS, 0, "SYS_PTRACE");
	check_told(OURS, 1, "ptrace_scope is 1. Run goheapx as root, or set it to 0: sysctl");
	check_told(OURS, 2, "ptrace_scope is 2. Run goheapx as root");
	check_told(OURS, 3, "is 3, which forbids it to all");
}

/* With Yama at 2 the user must be root anyway, and 3 cannot be undone. */
TEST(a_way_is_told_only_where_it_helps)
{
	for (int scope = 2; scope <= 3; scope++) {
		struct process_state denied = {.name = "server", .letter = 'S', .user = OURS};
		struct err err = {0};
		assert_false(process_denied(&denied, PID, OURS, scope, &err));
		assert_null(strstr(err.text, "sysctl"));
		if (scope == 3)
			assert_null(strstr(err.text, "as root"));
	}
}

TEST(root_is_not_told_to_become_root)
{
	for (int scope = NO_YAMA; scope <= 2; scope++)
		check_told(ROOT, scope, "Permission denied: the kernel does not let root");
	check_told(ROOT, 3, "is 3, which forbids it to all");
}

TEST(another_user_is_told_that_first)
{
	for (int scope = NO_YAMA; scope <= 3; scope++)
		check_told(OTHER, scope, "is another user's, of id 1000");
}

/* A second tracer is always refused: this test's own process stands for the first. */
TEST(a_tracer_is_told_before_all_else)
{
	struct process_state traced = {
		.name = "server", .letter = 't', .user = OURS, .tracer = getpid()};
	for (int scope = NO_YAMA; scope <= 3; scope++) {
		struct err err = {0};
		assert_false(process_denied(&traced, PID, ROOT, scope, &err));
		assert_non_null(strstr(err.text, "is being traced already"));
		assert_non_null(strstr(err.text, program_invocation_short_name));
	}
}
