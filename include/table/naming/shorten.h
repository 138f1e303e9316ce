/* Shortens names and keeps their most informative parts: the one place that decides what is dropped
   first. Drawing code calls canvas_middle(), which uses these functions. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends the text with package paths reduced as in source code: "net/http.(*conn).serve" becomes
   "http.(*conn).serve", also in the middle of a text. Quoted text and paths of files and packages
   do not change. */
void shorten_paths(const char *text, struct buf *out);

/* Appends the text, shortened by whole parts until it takes at most `columns`: first package paths;
   then files after functions ("main.f:12"); then lines; then arguments of generic types, which
   become "..."; then the number of a thread before a function; the
   packages of receivers, in "http.(*conn).serve"; in "main.serve >
   net.(*netFD).Read buf" the package and type of the second, then of the first function; the user
   of a variable without a name; the holders in "8 more held by ..."; the fields of types inside of
   a type without a name; the package in "30,000 × main.Session". The result may still be too long.
 */
void shorten_to(const char *text, int columns, struct buf *out);

/* Appends the text with "…" instead of its middle, so that it takes at most `columns`, at least 1.
   Whole parts of the name remain before and behind it where that does not waste many columns:
   "main.gw….metrics[*]". Of a type without a name its first fields remain: "struct { Name
   string…}". Returns false if no part is left whole before or behind it. */
bool shorten_cut(const char *text, int columns, struct buf *out);
/* Appends the text so that it takes at most `columns`, at least 1, and differs from another one of
   which shorten_cut leaves the same: without what comes before their difference. */
void shorten_apart(const char *text, const char *other, int columns, struct buf *out);
/* Returns the least columns, up to `most`, from which on shorten_to and shorten_cut leave no part
   of the text cut. */
int shorten_least(const char *text, int most);
