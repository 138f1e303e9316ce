#include "analysis/job.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct job {
	void (*work)(void *arg, struct progress *progress);
	void *arg;
	struct progress progress;
	pthread_t thread;
	bool threaded;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool done; /* under lock */
};

static void *job_run(void *self)
{
	struct job *job = self;
	job->work(job->arg, &job->progress);
	pthread_mutex_lock(&job->lock);
	job->done = true;
	pthread_cond_broadcast(&job->ended);
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

struct job *job_start(void (*work)(void *arg, struct progress *progress), void *arg)
{
	struct job *job = mem_alloc(sizeof *job);
	job->work = work;
	job->arg = arg;
	pthread_mutex_init(&job->lock, NULL);
	pthread_cond_init(&job->ended, NULL);
	job->threaded = pthread_create(&job->thread, NULL, job_run, job) == 0;
	if (!job->threaded)
		job_run(job); /* no thread to be had: slower, but all the same */
	return job;
}

bool job_wait(struct job *job, int milliseconds)
{
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += milliseconds / 1000;
	end.tv_nsec += milliseconds % 1000 * 1000000L;
	if (end.tv_nsec >= 1000000000L) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000L;
	}
	pthread_mutex_lock(&job->lock);
	while (!job->done && pthread_cond_timedwait(&job->ended, &job->lock, &end) == 0)
		;
	bool done = job->done;
	pthread_mutex_unlock(&job->lock);
	return done;
}

void job_tell(const struct job *job, const char *otherwise, struct buf *out)
{
	progress_add(&job->progress, otherwise, out);
}

void job_end(struct job *job)
{
	if (!job)
		return;
	atomic_store(&job->progress.cancel, true);
	if (job->threaded)
		pthread_join(job->thread, NULL);
	pthread_cond_destroy(&job->ended);
	pthread_mutex_destroy(&job->lock);
	free(job);
}
