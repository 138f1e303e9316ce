/* The section of the manual on SQL; tests run its queries. */
#include "main/manual.h"
#include "main/sql_shell.h"

static const struct {
	const char *question, *query;
} examples[] = {
	{"Which types take most?", "SELECT type, count(*) AS objects, sum(size) AS bytes FROM objects "
                               "GROUP BY type ORDER BY bytes DESC LIMIT 10"},
	{"Which objects would free most?", "SELECT address, type, size, retained_bytes FROM objects "
                                       "ORDER BY retained_bytes DESC LIMIT 10"},
	{"Which variables and goroutines own the memory?",
     "SELECT name, kind, retained_bytes FROM owners ORDER BY retained_bytes DESC LIMIT 10"},
	{"Where is it, down to three steps from the roots?",
     "SELECT printf('%*s%s', 2 * depth, '', name) AS place, type, count, bytes "
     "FROM \"where\" WHERE depth <= 3 AND bytes >= 10000"},
	{"What do the goroutines wait for?",
     "SELECT wait_reason, function, count(*) AS goroutines, sum(stack_bytes) AS stacks "
     "FROM goroutines GROUP BY wait_reason, function ORDER BY goroutines DESC LIMIT 10"},
	{"Who made most of them?", "SELECT created_by, count(*) AS goroutines FROM goroutines "
                               "GROUP BY created_by ORDER BY goroutines DESC LIMIT 10"},
	{"What points at the largest objects?",
     "SELECT o.address AS large, o.size AS large_size, r.address AS holder, r.type "
     "FROM (SELECT address, size FROM objects ORDER BY size DESC LIMIT 5) o, "
     "referrers(o.address) r"},
	{"Which kinds of roots lead to which types?",
     "SELECT kind, type, count(*) AS roots FROM roots GROUP BY kind, type "
     "ORDER BY roots DESC LIMIT 10"},
	{"How much of each type has nothing that leads to it?",
     "SELECT type, count(*) AS lost, sum(size) AS bytes FROM objects WHERE NOT reachable "
     "GROUP BY type ORDER BY bytes DESC LIMIT 10"},
	{"Which sizes have how many objects, and how many without pointers?",
     "SELECT size, count(*) AS objects, sum(\"references\" = 0) AS plain FROM objects "
     "GROUP BY size ORDER BY objects DESC LIMIT 10"},
};

void manual_sql(struct buf *out)
{
	buf_add(out,
	        ".Sh SQL\n"
	        ".Ic sql\n"
	        "takes one query in the language of SQLite over the tables of\n"
	        ".Ic list ,\n"
	        "with their columns; so does the explorer's command of the same name,\n"
	        "whose rows lead to the object of the first address in them.\n"
	        "A - in the name of a table is a _ there, and a name that is a word of the language "
	        "stands in double quotes.\n"
	        "What a table takes as its argument stands behind its name in parentheses.\n"
	        "Trees that have a column\n"
	        ".Li depth\n"
	        "are unfolded, of others there are the topmost rows.\n"
	        "Addresses are texts, such as '0xc000012340', times nanoseconds, shares percent.\n"
	        "A condition on the address or the type of objects, and every argument, is looked "
	        "up.\n"
	        "So is a\n"
	        ".Li rowid ,\n"
	        "the number of a row from 0 on;\n"
	        ".Li EXPLAIN QUERY PLAN\n"
	        "before a query shows what is looked up.\n"
	        "Nothing is copied, and nothing can be written.\n"
	        "A value has at most 32 MB, a function at most 16 arguments, and there is no\n"
	        ".Li json_patch ,\n"
	        "so that a query ends soon after ^C whatever it is at.\n"
	        ".Pp\n"
	        "Without a query they are read from the standard input, each up to its ; and those of "
	        "a pipe up to the first that is wrong.\n"
	        "On a terminal there is a line editor, with a history that is kept,\n"
	        "and Tab completes tables, columns and words of the language; ^C ends a query,\n"
	        "a second ^C ends goheapx as well.\n"
	        "Lines that begin with a . are commands of the shell:\n"
	        ".Bl -tag -width Ds\n");
	for (const struct sql_shell_command *c = sql_shell_commands; c->name; c++)
		buf_addf(out, ".It Ic %s%s%s\n%s.\n", c->name, c->argument ? " Ar " : "",
		         c->argument ? c->argument : "", c->help);
	buf_add(out, ".El\n"
	             ".Pp\n"
	             "Questions and their queries:\n"
	             ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		buf_add(out, ".It ");
		manual_text(out, examples[i].question);
		manual_text(out, examples[i].query);
	}
	buf_add(out, ".El\n");
}
