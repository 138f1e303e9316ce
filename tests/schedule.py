"""Runs tasks: those that take longest first, and none before the builds that it needs are there, so that the
compiler and the tests work beside each other."""

import concurrent.futures
import heapq
import itertools
import multiprocessing
import resource
import sys
import time
import typing


class Task(typing.NamedTuple):
    """function(*arguments) gives a list of (name of a test, outcome, text). Those about the same are run
    one after the other, as a process keeps the last files that it has read."""

    name: str
    function: typing.Callable
    arguments: tuple
    about: str = ""


class Took(typing.NamedTuple):
    """What a task took: processor seconds of it and of what it has started and waited for."""

    name: str
    wall: float
    processor: float


# The tasks that take long, by the beginnings of their names; measured, the longest first. The others
# are run in any order after them. A build comes before everything.
LONGEST = (
    "build/", "faults/", "fuzz/", "dumps/test_every", "cli/test_damage", "cli/test_process:", "damage/test_maps",
    "dumps/test_metamorphic", "cli/test_index: one", "damage/test_random",
    "dumps/test_traces", "dumps/test_netcf", "unit/table/test_operand", "cli/test_budget",
    "cli/test_honesty", "dumps/test_labels: kinds", "dumps/test_real", "names/", "damage/",
    "tmux/test_storm", "dumps/test_retained", "dumps/test_find", "dumps/test_stripped",
)

# What mostly sleeps, in a terminal or beside a process: one such task more than `jobs` runs.
SLEEPING = ("tmux/test_t", "tmux/test_p", "tmux/test_c", "tmux/test_e", "tmux/test_a", "dumps/test_live",
            "cli/test_process_watch", "cli/test_process_harm", "cli/test_process_held", "cli/test_process_ways")


def rank(task):
    return next((i for i, start in enumerate(LONGEST) if task.name.startswith(start)), len(LONGEST))


def sleeps(task):
    return task.name.startswith(SLEEPING)


elsewhere = 0.0  # processor seconds of programs that another process has started for a task


def processor_seconds():
    harness = sys.modules.get("harness")
    asked = harness.asked_seconds() if harness else 0  # of servers, which go on
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return elsewhere + asked + sum(usage.ru_utime + usage.ru_stime for usage in used)


def timed(task):
    started, used = time.monotonic(), processor_seconds()
    results = task.function(*task.arguments)
    return results, Took(task.name, time.monotonic() - started, processor_seconds() - used)


def run_all(tasks, jobs, finished, passing, hurry=True):
    """Runs tasks; finished(task, results, took) gives those that can be run from now on, None: those
    under way are the last. passing(left) is called each second with how many tasks are left. `hurry`:
    the longest first."""
    waiting, sleeping, order, running = [], [], itertools.count(), {}

    def add(more):
        if more is None:
            waiting.clear()
            sleeping.clear()
        for task in more or ():
            heapq.heappush(sleeping if sleeps(task) else waiting,
                           (rank(task) if hurry else 0, task.about, next(order), task))

    def start(queue):
        task = heapq.heappop(queue)[-1]
        running[pool.submit(timed, task)] = task

    add(tasks)
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(jobs + 1, mp_context=context) as pool:
        while waiting or sleeping or running:
            asleep = sum(map(sleeps, running.values()))
            while waiting and len(running) - asleep < jobs:
                start(waiting)
            while sleeping and asleep < max(1, jobs + asleep - len(running)):
                start(sleeping)
                asleep += 1
            done, _ = concurrent.futures.wait(
                running, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED
            )
            passing(len(waiting) + len(sleeping) + len(running))
            for future in done:
                add(finished(running.pop(future), *future.result()))
