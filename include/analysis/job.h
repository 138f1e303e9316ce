/* One piece of work in a thread of its own, for whoever must not wait for it. */
#ifndef ANALYSIS_JOB_H
#define ANALYSIS_JOB_H

#include "base/buf.h"
#include "base/progress.h"

struct job;

/* Runs work(arg, progress) beside the caller; `arg` belongs to it until job_wait() says that it has
   ended, or job_end() returns. */
struct job *job_start(void (*work)(void *arg, struct progress *progress), void *arg);
/* True when it has ended, within so many milliseconds. */
bool job_wait(struct job *job, int milliseconds);
/* Appends what it does and how far it is: "sorting 34%"; `otherwise` as long as it does not say. */
void job_tell(const struct job *job, const char *otherwise, struct buf *out);
/* Cancels it if it still runs, waits for its end, and frees it. NULL: nothing. */
void job_end(struct job *job);

#endif
