/* The command line of a call: the words of its tool, with the call's arguments in their places. */
#include "main/mcp/mcp.h"
#include "mcp_tools.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ANSWER_BYTES "7000" /* of an answer, unless a call says otherwise: a message of 8 KB */

void mcp_words_fini(struct mcp_words *words)
{
	for (int i = 0; i < words->count; i++)
		free(words->word[i]);
	*words = (struct mcp_words){0};
}

static bool mcp_add_word(struct mcp_words *words, const char *before, const char *text,
                         struct err *err)
{
	SCOPED_BUF word = {0};
	if (words->count == MCP_WORDS)
		return err_set(err, "A call has at most %d words", MCP_WORDS);
	buf_addf(&word, "%s%s", before, text);
	words->word[words->count++] = mem_strdup(buf_text(&word));
	return true;
}

/* Adds the text of an argument: a string, a whole number, or each string of an array. */
static bool mcp_add_value(struct mcp_words *words, const char *before, const char *name,
                          const json_t *value, struct err *err)
{
	char number[32];
	if (json_is_string(value))
		return mcp_add_word(words, before, json_string_value(value), err);
	if (json_is_integer(value)) {
		snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return mcp_add_word(words, before, number, err);
	}
	if (!json_is_array(value))
		return err_set(err, "The argument %.40s must be a text or a number", name);
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *text = json_string_value(json_array_get(value, i));
		if (!text)
			return err_set(err, "The argument %.40s must be a list of texts", name);
		if (!mcp_add_word(words, before, text, err))
			return false;
	}
	return true;
}

/* Returns an argument if there is one of its type; NULL: none, or *err. */
static json_t *mcp_argument_of(const struct mcp_argument *argument, const json_t *arguments,
                               struct err *err)
{
	json_t *value = json_object_get(arguments, argument->name);
	bool list = strcmp(argument->type, "array") == 0;
	if (!value || json_is_null(value)) {
		if (!argument->optional)
			err_set(err, "The argument %s is missing: %s", argument->name, argument->help);
		return NULL;
	}
	if (list ? json_is_array(value) : json_is_string(value) || json_is_integer(value))
		return value;
	err_set(err, "The argument %s must be %s", argument->name, list ? "a list of texts" : "a text");
	return NULL;
}

static bool mcp_add_operand(const struct mcp_tool *tool, const char *name, const json_t *arguments,
                            const struct mcp_subject *subject, struct mcp_words *words,
                            struct err *err)
{
	const json_t *value = NULL;
	if (strcmp(name, "dump") == 0) {
		value = subject->dump;
	} else if (strcmp(name, "old") == 0) {
		value = json_array_get(subject->since, 0);
		if (!value)
			return err_set(err, "diff needs an earlier dump: open with since");
	} else {
		const struct mcp_argument *argument = tool->arguments;
		while (strcmp(argument->name, name) != 0)
			argument++;
		value = mcp_argument_of(argument, arguments, err);
	}
	return !err->set && (!value || mcp_add_value(words, "", name, value, err));
}

static bool mcp_add_option(struct mcp_words *words, const char *name, const json_t *value,
                           struct err *err)
{
	SCOPED_BUF word = {0};
	buf_addf(&word, "--%s=", name);
	return mcp_add_value(words, buf_text(&word), name, value, err);
}

/* Returns true if a tool is about the dump that is open. */
static bool mcp_is_about_dump(const struct mcp_tool *tool)
{
	for (size_t i = 1; i < sizeof tool->words / sizeof *tool->words && tool->words[i]; i++)
		if (strcmp(tool->words[i], "@dump") == 0)
			return true;
	return false;
}

/* Adds options: first of all, as operands that begin with - come after "--". */
static bool mcp_add_options(const struct mcp_tool *tool, const json_t *arguments,
                            const struct mcp_subject *subject, struct mcp_words *words,
                            struct err *err)
{
	bool bound = json_object_get(arguments, "max_bytes");
	for (size_t i = 0; mcp_options[i].name; i++) {
		const struct mcp_option *option = &mcp_options[i];
		const json_t *value = json_object_get(arguments, option->name);
		if (value && mcp_takes(tool, option->option)
		    && !mcp_add_option(words, option->option, value, err))
			return false;
	}
	return (bound || !mcp_takes(tool, "max-bytes")
	        || mcp_add_word(words, "--max-bytes=", ANSWER_BYTES, err))
	       && (!subject->exe || !mcp_takes(tool, "exe")
	           || mcp_add_option(words, "exe", subject->exe, err))
	       && (!subject->since || !mcp_takes(tool, "since")
	           || mcp_add_option(words, "since", subject->since, err))
	       && (subject->texts || !mcp_is_about_dump(tool) || mcp_add_word(words, "--hide", "", err))
	       && (!subject->processes || !mcp_takes(tool, "yes")
	           || mcp_add_word(words, "--yes", "", err))
	       && (!mcp_takes(tool, "json") || tool->is_text || mcp_add_word(words, "--json", "", err))
	       && (!tool->is_text || mcp_add_word(words, "--format=md", "", err))
	       && mcp_add_word(words, "--", "", err);
}

static bool mcp_is_file(const json_t *path, struct err *err)
{
	struct stat info;
	const char *text = json_string_value(path);
	if (!text)
		return err_set(err, "A path must be a text");
	if (stat(text, &info) != 0)
		return err_set(err, "There is no file %.200s", text);
	return S_ISREG(info.st_mode) || err_set(err, "%.200s is no regular file", text);
}

/* A name that no file has may be that of a library in a process: the reader knows. */
static bool mcp_is_exe(const json_t *path, struct err *err)
{
	struct stat info;
	const char *text = json_string_value(path);
	return (text && *text && stat(text, &info) != 0) || mcp_is_file(path, err);
}

/* The words of a file's path that cannot be taken as a process. */
static json_t *mcp_path(const json_t *path)
{
	SCOPED_FREE char *real = realpath(json_string_value(path), NULL);
	json_t *text = real ? json_string(real) : NULL;
	return text ? text : json_copy((json_t *)(uintptr_t)path);
}

/* Makes the files of a call of `open` the subject. */
static bool mcp_open(const json_t *arguments, struct mcp_subject *subject, struct err *err)
{
	json_t *dump = json_object_get(arguments, "dump"), *exe = json_object_get(arguments, "exe");
	json_t *since = json_object_get(arguments, "since"), *paths = json_array();
	bool file = mcp_is_file(dump, subject->processes ? &(struct err){0} : err);
	bool there = file || (subject->processes && json_is_string(dump));
	there = there && (!exe || json_is_null(exe) || mcp_is_exe(exe, err));
	for (size_t i = 0; there && i < json_array_size(since); i++) {
		const json_t *item = json_array_get(since, i);
		there = mcp_is_file(item, err);
		if (there)
			json_array_append_new(paths, mcp_path(item));
	}
	if (!there) {
		json_decref(paths);
		return err->set ? false : err_set(err, "A dump must be named by a text");
	}
	json_decref(subject->dump);
	json_decref(subject->exe);
	json_decref(subject->since);
	subject->dump = file ? mcp_path(dump) : json_incref(dump);
	subject->exe = exe && !json_is_null(exe) ? mcp_path(exe) : NULL;
	subject->since = paths;
	subject->texts = json_is_true(json_object_get(arguments, "texts"));
	return true;
}

bool mcp_tool_words(const char *name, const json_t *arguments, struct mcp_subject *subject,
                    struct mcp_words *words, struct err *err)
{
	struct mcp_tool tool;
	size_t i = 0;
	while (mcp_tool_at(i, &tool) && strcmp(tool.name, name) != 0)
		i++;
	if (!mcp_tool_at(i, &tool))
		return err_set(err, "There is no tool \"%.40s\"; tools/list lists them", name);
	if (strcmp(name, "open") == 0 && !mcp_open(arguments, subject, err))
		return false;
	if (!subject->dump && strcmp(name, "help") != 0)
		return err_set(err, "No dump is open: call open first");
	if (!mcp_add_word(words, "goheapx", "", err) || !mcp_add_word(words, tool.words[0], "", err)
	    || !mcp_add_options(&tool, arguments, subject, words, err))
		return false;
	for (i = 1; i < sizeof tool.words / sizeof *tool.words && tool.words[i]; i++)
		if (*tool.words[i] == '@'
		        ? !mcp_add_operand(&tool, tool.words[i] + 1, arguments, subject, words, err)
		        : !mcp_add_word(words, tool.words[i], "", err))
			return false;
	return true;
}
