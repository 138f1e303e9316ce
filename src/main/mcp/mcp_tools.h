/* The tools for agents, for src/main/mcp only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An argument that is an operand. */
struct mcp_argument {
	const char *name, *type, *help;
	bool optional;
};

/* A tool: its words are those of a command line; @name stands for an argument, @dump and @old for
   what was opened. */
struct mcp_tool {
	const char *name, *help, *example;
	const char *words[6];
	struct mcp_argument arguments[4];
	bool is_text; /* it has no JSON */
};

/* An option that is an argument of each tool whose subcommand takes it. */
struct mcp_option {
	const char *name, *option, *type, *help;
};
extern const struct mcp_option mcp_options[]; /* name NULL at the end */

/* Stores a tool by number. False: no more. */
bool mcp_tool_at(size_t number, struct mcp_tool *tool);
/* Returns true if the subcommand of a tool takes an option. */
bool mcp_takes(const struct mcp_tool *tool, const char *name);
