/* Columns that several tables share: names, help, kind, function and stage. A table adds the width
   and rank of such a column: {OBJECT_SIZE, .width = 9, .rank = 1}. */
#pragma once

#include "analysis/analysis.h"
#include "format/format.h"
#include "format/runtime.h"
#include "table/table.h"

typedef void column_cell(const struct rows *rows, size_t row, struct value *value);

/* The kind of the row's entity. */
column_cell entity_word_cell;

/* The row number, from 0 on: steps of a path, calls of a stack. */
column_cell row_number_cell;

/* Cells about the object of a row, according to the table's `entity`; empty if it has none. */
column_cell object_address_cell, object_size_cell, object_reachable_cell, object_references_cell,
	object_referrers_cell, object_retained_cell, object_text_cell, object_expression_cell;

/* Cells about the root of a row; empty if it has none. */
column_cell root_name_cell, root_flags_cell, root_offset_cell, root_address_cell, root_target_cell,
	root_text_cell, root_user_cell, root_variable_known_cell;

/* Cells about the thread of a row; empty if it has none. */
column_cell thread_id_cell, thread_status_cell, thread_function_cell, thread_source_cell;

/* Bytes of an object that are resident. */
column_cell object_resident_cell;
/* Returns true if it is not known what was resident, as in heap dumps and in core files that a
   kernel wrote. */
bool rows_lack_residence(const struct rows *rows);

/* Texts about the object of a row. Owners are those of table/owners/object_owner.h; unreachable
   objects have none. */
extern const struct coding object_type_coding, object_package_coding, object_call_coding,
	object_known_coding, object_owner_coding, object_site_coding;

#define OBJECT_SIZE                                                                 \
	.name = "size", .title = "size", .kind = VALUE_BYTES, .cell = object_size_cell, \
	.help = "Size of the object's slot, in bytes"
#define OBJECT_RESIDENT                                                 \
	.name = "resident_bytes", .title = "resident", .kind = VALUE_BYTES, \
	.cell = object_resident_cell, .absent = rows_lack_residence,        \
	.help = "Bytes of it that are resident, for snapshots and processes"
#define OBJECT_OWNER                                                                       \
	.name = "owner", .title = "owner", .kind = VALUE_TEXT, .coding = &object_owner_coding, \
	.stages = STAGE_OWNED | STAGE_TYPED, .on_request = true,                               \
	.help = "The variable, " THREAD_WORD                                                   \
			" or record that owns it, as in the table owners; several "                    \
			"where it goes only when all of them go"
#define OBJECT_SITE                                                                             \
	.name = "site", .title = "allocated in", .kind = VALUE_TEXT, .coding = &object_site_coding, \
	.parts = PART_GO, .on_request = true,                                                       \
	.help = "The function that allocated it, if the memory profiler has sampled it"
#define OBJECT_CALL                                                                             \
	.name = "call", .title = "allocated at", .kind = VALUE_TEXT, .coding = &object_call_coding, \
	.parts = PART_GO, .on_request = true,                                                       \
	.help = "That function, with the file and the line of the call"
#define OBJECT_TYPE                                                                          \
	.name = "type", .title = "type", .kind = VALUE_TEXT, .coding = &object_type_coding,      \
	.stages = STAGE_TYPED,                                                                   \
	.help = "Type of the object, or of each of the values in it; without one what it looks " \
			"like, or what holds it"
#define OBJECT_PACKAGE                                                                           \
	.name = "package", .title = "package", .kind = VALUE_TEXT, .coding = &object_package_coding, \
	.stages = STAGE_TYPED, .on_request = true,                                                   \
	.help = "Package of the type: the first one in its name, as in types by package"
#define OBJECT_REACHABLE                                                                 \
	.name = "reachable", .title = "reachable", .kind = VALUE_BOOL,                       \
	.help = "Does a path lead to the object from a root of the dump? A weak root keeps " \
			"nothing alive",                                                             \
	.cell = object_reachable_cell, .stages = STAGE_REACHED
#define OBJECT_RETAINED                                                                          \
	.name = "retained_bytes", .title = "retained", .kind = VALUE_BYTES,                          \
	.help = "Bytes that would be freed without it: its own, and those of all objects that only " \
			"it keeps alive",                                                                    \
	.cell = object_retained_cell, .stages = STAGE_RETAINED
/* The end of the help of retained sizes of types and packages. */
#define RETAINED_TOGETHER \
	"What only several of them together keep alive counts in retained by type, not here"
/* The path to the object, in the form that all commands accept. */
#define OBJECT_EXPRESSION                                                                \
	.name = "name", .title = "where", .kind = VALUE_TEXT,                                \
	.help = "The path to it, as every command takes it", .cell = object_expression_cell, \
	.stages = STAGE_REACHED | STAGE_TYPED

#define POINTER_TARGET                                                           \
	.name = "target", .title = "target", .help = "The pointer, as it is stored", \
	.kind = VALUE_ADDRESS
#define POINTER_OBJECT                                                                     \
	.name = "object", .title = "object", .help = "The object that the pointer references", \
	.kind = VALUE_ADDRESS, .cell = object_address_cell
#define POINTER_TEXT                                     \
	.name = "text", .title = "text", .kind = VALUE_TEXT, \
	.help = "Text or bytes that the pointer seems to point at; ~ marks a guess"

/* Columns about a global variable without a symbol; absent if the executable has symbols. */
bool variable_user_absent(const struct rows *rows);
#define VARIABLE_USER                                                                \
	.name = "used_by", .title = "used by", .kind = VALUE_TEXT, .wants = STAGE_TYPED, \
	.absent = variable_user_absent,                                                  \
	.help = "For a variable without a name: a function of its package that uses it"
#define VARIABLE_KNOWN                                                                         \
	.name = "package_known", .title = "package", .kind = VALUE_TEXT, .wants = STAGE_TYPED,     \
	.absent = variable_user_absent,                                                            \
	.help = "How its package is known: inferred, where all functions that use it are of that " \
			"package, or a guess"

/* Columns about the variables of libraries (table/paths/libraries.h). */
#define LIBRARY_PACKAGE                                                                 \
	.name = "package", .title = "of package", .kind = VALUE_TEXT, .wants = STAGE_TYPED, \
	.help = "The package of the global variable, as far as it is known; empty for anything else"
#define LIBRARY_IS_ONE                                                                          \
	.name = "library", .title = "library", .kind = VALUE_BOOL, .wants = STAGE_TYPED,            \
	.help =                                                                                     \
		"Is it a table of a library: a variable of a package of somebody else, with less than " \
		"3% of the heap and no objects of types of the program's own below it? The explorer "   \
		"shows all of these below one row, which has their sums"

#define THREAD_STATUS                                                                    \
	.name = "status", .title = "status", .kind = VALUE_TEXT, .cell = thread_status_cell, \
	.help = "waiting, running, runnable, syscall or idle"
#define THREAD_FUNCTION                                                                           \
	.name = "function", .title = "where", .kind = VALUE_TEXT, .cell = thread_function_cell,       \
	.help = "The innermost function of package main; otherwise the innermost one outside of the " \
			"runtime and of packages that only wait; for the runtime's " THREADS_WORD " their own"
#define THREAD_SOURCE                                                                    \
	.name = "source", .title = "source", .kind = VALUE_TEXT, .cell = thread_source_cell, \
	.help = "File and line of that function"
#define THREADS_WAITED                                                                      \
	.name = "waited", .title = "longest", .kind = VALUE_TIME,                               \
	.help = "Wait time of the first of them, counted back from the " THREAD_WORD " that a " \
			"collection found waiting last; in nanoseconds"
