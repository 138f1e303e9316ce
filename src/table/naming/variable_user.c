#include "table/naming/variable_user.h"

#include "analysis/variable_users.h"
#include "base/text.h"
#include "go/exe/pclntab.h"
#include "heap/root.h"
#include "table/naming/entity_parts.h"
#include "table/naming/root.h"
#include "table/naming/typed.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char variable_word[] = " variable ", used_by[] = ", used by ", of_variable[] = ", of ";

static bool variable_user_of(const struct analysis *analysis, const struct root *root,
                             struct variable_user *user)
{
	const char *name;
	uint64_t offset;
	if (root->kind != ROOT_DATA && root->kind != ROOT_BSS)
		return false;
	bool named = names_variable(analysis_names(analysis), root->address, &name, &offset)
	             || typed_add_global(analysis, root->address, NULL, NULL);
	return !named && variable_user_find(analysis, root->address, user);
}

/* Returns the short name of a package: "mvcc" of "go.etcd.io/etcd/server/mvcc", "client/v3" of
   "go.etcd.io/etcd/client/v3", since a version says nothing alone. */
static struct text variable_user_short(struct text package)
{
	size_t start = package.len, elements = 0;
	for (; start; start--) {
		const char *element = package.data + start;
		bool version = package.len - start > 1 && *element == 'v'
		               && isdigit((unsigned char)element[1]);
		if (element[-1] == '/' && (elements++ || !version))
			break;
	}
	return (struct text){package.data + start, package.len - start};
}

/* Appends the function without type arguments: "(*Map[...]).Load". */
static void variable_user_add_function(struct text function, struct buf *out)
{
	SCOPED_BUF plain = {0};
	unsigned depth = 0;
	for (size_t i = 0; i < function.len; i++) {
		depth -= function.data[i] == ']' && depth;
		if (!depth)
			buf_add_bytes(&plain, function.data + i, 1);
		if (function.data[i] == '[' && !depth++)
			buf_add(&plain, "...");
	}
	text_add_symbol(out, buf_text(&plain), plain.len, ENTITY_NAME_LIMIT);
}

/* Appends "main.engine" or "mvcc.(*store).Get", with the whole package. */
static void variable_user_add_whole(const struct variable_user *user, struct buf *out)
{
	text_add_symbol(out, user->package.data, user->package.len, ENTITY_NAME_LIMIT);
	buf_add_char(out, '.');
	variable_user_add_function(user->function, out);
}

/* Returns true if a variable points to it, whose name can be typed as one word. */
static bool variable_user_is_of(const struct variable_user *user)
{
	return !user->functions && !memchr(user->function.data, ' ', user->function.len);
}

void variable_user_add_place(const struct analysis *analysis, const struct root *root,
                             struct buf *out)
{
	struct variable_user user;
	uint64_t offset = 0;
	if (variable_user_of(analysis, root, &user)) {
		buf_add(out, user.inferred ? "" : "~");
		if (variable_user_is_of(&user)) {
			variable_user_add_whole(&user, out);
		} else {
			struct text package = variable_user_short(user.package);
			text_add_symbol(out, package.data, package.len, ENTITY_NAME_LIMIT);
		}
		buf_add(out, variable_word);
	}
	root_offset(analysis_heap(analysis), root, &offset);
	root_add_segment(analysis_heap(analysis), root->holder, out);
	buf_addf(out, "+0x%" PRIx64, offset);
}

void variable_user_add_behind(const struct analysis *analysis, struct entity entity,
                              struct buf *out)
{
	const struct root *root = entity_variable(analysis, entity);
	struct variable_user user;
	if (!root || !variable_user_of(analysis, root, &user) || variable_user_is_of(&user))
		return;
	buf_add(out, user.functions ? used_by : of_variable);
	variable_user_add_function(user.function, out);
}

bool variable_user_add_package(const struct analysis *analysis, const struct root *root,
                               struct buf *out)
{
	struct variable_user user;
	const char *name;
	uint64_t offset;
	size_t len;
	if (root->kind != ROOT_DATA && root->kind != ROOT_BSS)
		return false;
	if (names_variable(analysis_names(analysis), root->address, &name, &offset)) {
		len = pclntab_package(name);
		text_add_symbol(out, name, len, ENTITY_NAME_LIMIT);
		return len;
	}
	if (!variable_user_of(analysis, root, &user) || !user.inferred)
		return false;
	text_add_symbol(out, user.package.data, user.package.len, ENTITY_NAME_LIMIT);
	return true;
}

/* Appends "only function that uses it, (*store).get". */
static void variable_user_add_evidence(const struct variable_user *user, bool exactly,
                                       struct buf *out)
{
	if (user->functions <= 1)
		buf_add(out, user->functions ? "only function" : "variable");
	else
		text_add_number_of(out, user->functions, "", "functions");
	buf_add(out, !user->functions       ? " that points to "
	             : user->functions == 1 ? " that uses "
	                                    : " that use ");
	buf_add(out, exactly ? "it, " : "what begins before it, ");
	buf_add(out, user->functions <= 1 ? "" : "such as ");
	variable_user_add_function(user->function, out);
}

bool variable_user_explain(const struct analysis *analysis, const struct root *root,
                           struct buf *out)
{
	struct variable_user user;
	uint64_t offset = 0;
	if (!variable_user_of(analysis, root, &user))
		return false;
	root_offset(analysis_heap(analysis), root, &offset);
	root_add_segment(analysis_heap(analysis), root->holder, out);
	buf_addf(out, "+0x%" PRIx64 " has no name. Judging by the ", offset);
	variable_user_add_evidence(&user, root->address == user.address, out);
	buf_add(out, user.inferred ? ", it belongs to package " : ", it may belong to package ");
	text_add_symbol(out, user.package.data, user.package.len, ENTITY_NAME_LIMIT);
	buf_add(out, user.inferred ? "" : "; that is a guess");
	buf_add_char(out, '.');
	return true;
}

const char *variable_user_skip_package(const char *text)
{
	const char *blank = strchr(text, ' ');
	bool is_variable = blank && strncmp(blank, variable_word, sizeof variable_word - 1) == 0;
	return is_variable ? blank + sizeof variable_word - 1 : text;
}

const char *variable_user_skip_function(const char *text)
{
	const char *const words[] = {used_by, of_variable};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0)
			return text + strlen(words[i]) + strcspn(text + strlen(words[i]), " ");
	return text;
}

bool variable_user_absent(const struct rows *rows)
{
	const struct names *names = analysis_names(rows->analysis);
	return !names || !names->exe || exe_image(names->exe)->symbol_count;
}

void variable_user_function_cell(const struct analysis *analysis, struct entity entity,
                                 struct value *value)
{
	const struct root *root = entity_variable(analysis, entity);
	struct variable_user user;
	struct buf *out = cell_begin(value);
	if (root && variable_user_of(analysis, root, &user))
		variable_user_add_whole(&user, out);
}

void variable_user_known_cell(const struct analysis *analysis, struct entity entity,
                              struct value *value)
{
	const struct root *root = entity_variable(analysis, entity);
	struct variable_user user;
	if (root && variable_user_of(analysis, root, &user))
		cell_text(value, type_known_names[user.inferred ? KNOWN_INFERRED : KNOWN_GUESS]);
}
