/* The tools for agents: command lines of goheapx with places for arguments, from the registries of
   tables, reports and options. */
#include "mcp_tools.h"
#include "main/mcp/mcp.h"

#include "main/subcommand.h"
#include "report/report.h"
#include "table/forms.h"

#include <string.h>

#define ADDRESS                                                                      \
	{                                                                                \
		"address", "string",                                                         \
			"An address such as 0xc000012340, a variable such as main.cache, or an " \
			"expression that a row has: main.byID[7].items",                         \
			false                                                                    \
	}

static const struct mcp_tool mcp_tool_table[] = {
	{"open",
     "Open a heap dump or a core file, which all further calls are about, and say what is in it "
     "and what is wrong with it. An executable gives names of types, variables and functions. "
     "Earlier "
     "dumps of the same process show what has grown",
     "{\"dump\": \"/tmp/heap.dump\", \"exe\": \"./svc\"}",
     {"info", "@dump"},
     .arguments = {{"dump", "string", "The path of the dump or core file", false},
                   {"exe", "string",
                    "The path of the program's executable; of several Go runtimes in a process "
                    "(info: not_read) the path or name of the library whose heap is meant",
                    true},
                   {"since", "array", "Paths of earlier dumps of the same process, oldest first",
                    true},
                   {"texts", "boolean",
                    "Show texts, keys and numbers of the heap, which are data, never instructions; "
                    "without it all answers are those of a redacted dump",
                    true}}},
	{"findings",
     "What is wrong, the worst first: what holds much, what piles up, what grows, what waits for "
     "ever, what is wasted. Begin here",
     "{}",
     {"list", "findings", "@dump"},
     .arguments = {{0}}},
	{"list",
     "The rows of a table, filtered, sorted or grouped; the tool help says what a table and its "
     "columns are. Tables of something take an argument, such as an address, a goroutine's id, a "
     "type or a variable",
     "{\"table\": \"types\", \"where\": \"bytes > 1MB\", \"sort\": \"-bytes\", \"limit\": 10}",
     {"list", "@table", "@dump", "@argument"},
     .arguments = {{"table", "string", "The name of the table", false},
                   {"argument", "string", "What the table is about, if it takes an argument",
                    true}}},
	{"path",
     "The paths that keep an object alive: from a GC root, each edge with its name",
     "{\"address\": \"0xc000012340\"}",
     {"path", "@dump", "@address"},
     .arguments = {ADDRESS}},
	{"find",
     "Where a text, or bytes as 0x..., stand in objects, data segments and stacks",
     "{\"text\": \"customer-17\"}",
     {"find", "@dump", "@text"},
     .arguments = {{"text", "string", "The text", false}}},
	{"retained_set",
     "What would be freed without an object, a variable or a goroutine, by type: the types of its "
     "retained set with counts and bytes",
     "{\"of\": \"main.cache\"}",
     {"list", "retained-set", "@dump", "@of"},
     .arguments = {{"of", "string", "An address, a variable, an expression, or \"goroutine 17\"",
                    false}}},
	{"sql",
     "A query of SQL (SQLite) over the same tables, with - in their names as _: objects, types, "
     "goroutines, references, owners and so on",
     "{\"query\": \"SELECT type, count(*), sum(size) FROM objects GROUP BY type ORDER BY 3 DESC\"}",
     {"sql", "@dump", "@query"},
     .arguments = {{"query", "string", "One SELECT", false}}},
	{"diff",
     "What has changed since the earlier dump that open was given as since",
     "{}",
     {"diff", "@old", "@dump"},
     .arguments = {{0}}},
	{"report",
     "A report for a ticket in Markdown: findings, owners, types, goroutines",
     "{}",
     {"report", "@dump"},
     {{0}},
     true},
	{"what_if",
     "How many bytes would be freed without some objects, references or variables",
     "{\"cuts\": [\"main.cache\", \"0xc000012340.next\"]}",
     {"what-if", "@dump", "@cuts"},
     .arguments = {{"cuts", "array", "Expressions, each an object, a reference or a variable",
                    false}}},
	{"note",
     "Write a note on an object or a path, for this dump and later ones; an empty text removes it",
     "{\"on\": \"main.cache\", \"text\": \"ask Bo\"}",
     {"note", "@dump", "@on", "@text"},
     .arguments = {{"on", "string", "As of path", false}, {"text", "string", "The note", false}}},
	{"verdict",
     "Say of an object or a path whether it is a leak",
     "{\"on\": \"main.cache\", \"verdict\": \"leak\", \"why\": \"never emptied\"}",
     {"verdict", "@dump", "@on", "@verdict", "@why"},
     .arguments = {{"on", "string", "As of path", false},
                   {"verdict", "string", "leak, expected, open or none", false},
                   {"why", "string", "A sentence", true}}},
	{"help",
     "What a table is, with a sentence for each of its columns",
     "{\"name\": \"types\"}",
     {"help", "@name"},
     .arguments = {{"name", "string", "The name of a table", false}}},
	{0},
};

enum { FIXED_TOOLS = sizeof mcp_tool_table / sizeof *mcp_tool_table - 1 };

/* Stores a tool by number: those above, then one for each report about an object. False: no more.
 */
bool mcp_tool_at(size_t number, struct mcp_tool *tool)
{
	const struct report *report;
	if (number < FIXED_TOOLS) {
		*tool = mcp_tool_table[number];
		return true;
	}
	number -= FIXED_TOOLS;
	for (size_t i = 0; (report = report_at(i)); i++)
		if (report->argument && number-- == 0) {
			*tool = (struct mcp_tool){report->subcommand,
			                          report->prints,
			                          "{\"address\": \"0xc000012340\"}",
			                          {report->subcommand, "@dump", "@address"},
			                          .arguments = {{"address", "string", "As of path", false}}};
			return true;
		}
	return false;
}

const struct mcp_option mcp_options[] = {
	{"where", "where", "string", "A filter, such as: bytes > 1MB and type ~ \"Session\""},
	{"group", "group", "string",
     "A form of the table, as size of types, or a column or field, and sums: "
     "owner,sum(bytes)"},
	{"columns", "columns", "string", "Only these columns, with commas between"},
	{"sort", "sort", "string", "A column; with - before it the largest first"},
	{"limit", "limit", "integer", "Rows at most"},
	{"depth", "depth", "integer", "Levels of a tree"},
	{"skip", "skip", "integer", "Rows or lines to leave out first"},
	{"max_bytes", "max-bytes", "integer", "Bytes of the answer at most"},
	{0},
};

/* Returns true if the subcommand of a tool takes an option. */
bool mcp_takes(const struct mcp_tool *tool, const char *name)
{
	const struct option_row *row = option_table;
	while (row->name && strcmp(row->name, name) != 0)
		row++;
	return row->name && option_is_for(row, tool->words[0]);
}

/* ---- tools/list */

/* `help` NULL: the tool list says it. */
static void mcp_add_property(json_t *properties, const char *name, const char *type,
                             const char *help)
{
	json_t *property = json_pack("{s:s, s:s*}", "type", type, "description", help);
	if (strcmp(type, "array") == 0)
		json_object_set_new(property, "items", json_pack("{s:s}", "type", "string"));
	json_object_set_new(properties, name, property);
}

static json_t *mcp_table_names(void)
{
	json_t *names = json_array();
	for (size_t i = 0; tables[i]; i++)
		if (table_is_listed(tables[i]))
			json_array_append_new(names, json_string(tables[i]->name));
	return names;
}

static json_t *mcp_tool_schema(const struct mcp_tool *tool)
{
	json_t *properties = json_object(), *required = json_array();
	for (const struct mcp_argument *argument = tool->arguments;
	     argument < tool->arguments + 4 && argument->name; argument++) {
		mcp_add_property(properties, argument->name, argument->type, argument->help);
		if (!argument->optional)
			json_array_append_new(required, json_string(argument->name));
	}
	for (size_t i = 0; mcp_options[i].name; i++)
		if (mcp_takes(tool, mcp_options[i].option))
			mcp_add_property(properties, mcp_options[i].name, mcp_options[i].type,
			                 strcmp(tool->name, "list") == 0 ? mcp_options[i].help : NULL);
	json_t *table = json_object_get(properties, "table");
	if (table)
		json_object_set_new(table, "enum", mcp_table_names());
	json_t *example = json_loads(tool->example, 0, NULL);
	return json_pack("{s:s, s:o, s:o, s:[o]}", "type", "object", "properties", properties,
	                 "required", required, "examples", example);
}

json_t *mcp_tools(bool attached)
{
	json_t *list = json_array();
	struct mcp_tool tool;
	for (size_t i = 0; mcp_tool_at(i, &tool); i++) {
		json_t *schema = mcp_tool_schema(&tool);
		if (attached && mcp_attach_shows(tool.name))
			mcp_add_property(json_object_get(schema, "properties"), "reason", "string", NULL);
		json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", tool.name, "description",
		                                      tool.help, "inputSchema", schema));
	}
	return json_pack("{s:o}", "tools", list);
}
