/* How names become shorter than they are without losing what they tell: the one place that decides
   what goes first. Whoever draws asks canvas_middle() of the canvas, which asks here. */
#ifndef BASE_SHORTEN_H
#define BASE_SHORTEN_H

#include "base/buf.h"

#include <stddef.h>

/* Appends the text with packages called as in source code: "net/http.(*conn).serve" becomes
   "http.(*conn).serve", in the middle of a longer text, too. What is quoted stays, and so do paths
   of files and of packages themselves. */
void shorten_paths(const char *text, struct buf *out);

/* Appends the text as far as it can be shortened by whole parts until it takes at most `columns`:
   first paths of packages, then files behind functions ("main.f:12"), then lines, then the
   arguments of generic types, which become "...", then the number of a goroutine before a function;
   of "main.serve > net.(*netFD).Read buf" the package and the type of the second, then of the first
   function; of a variable without a name who uses it; of "8 more held by ..." who holds them. It
   may still be longer. */
void shorten_to(const char *text, int columns, struct buf *out);

/* Of a text that has to lose its middle to fit into `columns`, one of them for the mark of that:
   how many its end gets. Half of them, or more for the last name in it. */
int shorten_tail(const char *text, int columns);

#endif
