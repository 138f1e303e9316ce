/* The functions of subcommands, for the table in src/main/subcommands.c only. */
#pragma once

#include "main/subcommand.h"

enum status run_explore(const struct options *options);
enum status run_list(const struct options *options);
enum status run_find(const struct options *options);
enum status run_top(const struct options *options);
enum status run_sql(const struct options *options);
enum status run_retained(const struct options *options);
enum status run_path(const struct options *options);
enum status run_diff(const struct options *options);
enum status run_check(const struct options *options);
enum status run_freed(const struct options *options);
enum status run_export(const struct options *options);
enum status run_ticket(const struct options *options);
enum status run_note(const struct options *options);
enum status run_verdict(const struct options *options);
enum status run_estimate(const struct options *options);
enum status run_index(const struct options *options);
enum status run_processes(const struct options *options);
enum status run_cache(const struct options *options);
enum status run_snapshot(const struct options *options);
enum status run_watch(const struct options *options);
enum status run_redact(const struct options *options);
enum status run_completion(const struct options *options);
enum status run_manual(const struct options *options);
enum status run_help(const struct options *options);
enum status run_schema(const struct options *options);
enum status run_mcp(const struct options *options);
enum status run_serve(const struct options *options);
enum status run_skill(const struct options *options);
enum status run_version(const struct options *options);

/* Runs a command line, the program's name first; its words are reordered. Returns the exit status.
 */
int run_words(int argc, char **argv);
