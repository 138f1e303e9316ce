#include "base/progress.h"

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
	if (!progress)
		return;
	atomic_store_explicit(&progress->done, 0, memory_order_relaxed);
	atomic_store_explicit(&progress->total, total, memory_order_relaxed);
	atomic_store_explicit(&progress->what, what, memory_order_release);
}

static bool is_cancelled(const struct progress *progress)
{
	return atomic_load_explicit(&progress->cancel, memory_order_relaxed);
}

bool progress_step(struct progress *progress, uint64_t done)
{
	if (!progress)
		return true;
	atomic_store_explicit(&progress->done, done, memory_order_relaxed);
	return !is_cancelled(progress) && !(progress->whole && is_cancelled(progress->whole));
}

double progress_share(const struct progress *progress)
{
	uint64_t done = atomic_load(&progress->done), total = atomic_load(&progress->total);
	if (total == 0)
		return -1;
	return done < total ? (double)done / (double)total : 1;
}

void progress_add(const struct progress *progress, const char *idle, struct buf *out)
{
	const char *what = atomic_load(&progress->what);
	double share = progress_share(progress);
	buf_add(out, what ? what : idle);
	if (share >= 0)
		buf_addf(out, " %d%%", (int)(share * 100));
}
