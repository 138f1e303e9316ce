/* The section of the manual on export formats. */
#include "main/exporter.h"
#include "main/manual.h"

static const char manual_fleet[] =
	".Ss Many dumps in one database\n"
	"What\n"
	".Li tables\n"
	"writes of two dumps of each pod is loaded so, by SQLite:\n"
	".Bd -literal -offset indent\n"
	"goheapx export --format tables -o DIR */*.dump\n"
	"sqlite3 all.db '.read DIR/schema.sql'\n"
	"for f in DIR/*/types.csv; do\n"
	"  sqlite3 all.db \".import --csv --skip 1 $f types\"\n"
	"done\n"
	".Ed\n"
	".Pp\n"
	"and so by DuckDB, ClickHouse and Spark, which take the names of columns from the files:\n"
	".Bd -literal -offset indent\n"
	"CREATE TABLE types AS\n"
	"  FROM read_csv('DIR/*/types.csv', union_by_name = true);\n"
	"SELECT * FROM file('DIR/*/types.csv', 'CSVWithNames');\n"
	"spark.read.csv(\"DIR/*/types.csv\", header=True,\n"
	"  inferSchema=True, escape='\"')\n"
	".Ed\n"
	".Pp\n"
	"Which types have grown where:\n"
	".Bd -literal -offset indent\n"
	"SELECT b.host, b.type, b.bytes - a.bytes AS grown\n"
	"FROM types a JOIN types b ON a.host = b.host\n"
	"  AND a.type = b.type AND a.dump_time < b.dump_time\n"
	"WHERE grown > 0 ORDER BY grown DESC;\n"
	".Ed\n";

void manual_exports(struct buf *out)
{
	buf_add(out, ".Sh EXPORTS\n"
	             "What\n.Ic export Fl -format\nwrites:\n"
	             ".Bl -tag -width Ds\n");
	for (size_t i = 0; exporters[i]; i++) {
		struct buf text = {0};
		buf_addf(&text, "%s. %s", exporters[i]->help,
		         exporters[i]->about ? exporters[i]->about : "");
		buf_addf(out, ".It Li %s\n", exporters[i]->name);
		manual_text(out, buf_text(&text));
		buf_free(&text);
	}
	buf_add(out, ".El\n.Pp\n"
	             "A file that\n.Fl o\nnames is readable by its owner only,\n"
	             "and has its name once it is whole.\n");
	buf_add(out, manual_fleet);
}
