/* What the commands reopen, snapshot, open and since put in the place of the analysis of the
   explorer. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

struct analysis;

struct reopening {
	enum reopening_kind {
		REOPENING_NONE,
		REOPENING_SAME,     /* the same files anew */
		REOPENING_SNAPSHOT, /* the same, and the current dump becomes an earlier one */
		REOPENING_SINCE,    /* the same, with another file as an earlier dump */
		REOPENING_OTHER     /* another file */
	} kind;
	struct buf name; /* an executable, or the file */
};

/* Notes what a command asks for. False: it is none of these, or *err. */
bool reopening_take(struct reopening *reopening, const char *word, const char *argument,
                    struct err *err);
/* Returns the analysis to show next; no stage of it has run. */
struct analysis *reopening_next(const struct reopening *reopening, const struct analysis *analysis);
/* Returns the analysis of the earlier dump that `since` names, or NULL. No stage of it has run. */
struct analysis *reopening_earlier(const struct reopening *reopening,
                                   const struct analysis *analysis);
/* Gives `next` the earlier dumps that it is to have, after STAGE_READ of all: those of `old` (with
   all of its stages; NULL: none), itself, or `earlier`, which may be NULL. *gone becomes what the
   caller frees. False: *err, and `next` and `earlier` are the caller's to free. */
bool reopening_follow(const struct reopening *reopening, struct analysis *next,
                      struct analysis *old, struct analysis *earlier, struct analysis **gone,
                      struct err *err);
