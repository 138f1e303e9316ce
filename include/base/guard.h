/* Libraries that crash where they get no memory, and that nobody vouches for when they read what
   was made to do harm. Between guard_enter and guard_leave that is told, and the program ends with
   status 2, the terminal given back, as it does without memory (base/mem.h). */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

/* This thread goes into a library, by its name, and leaves it again: gives and takes the name of
   the one that it was in before, or NULL. Both leave errno alone. */
const char *guard_enter(const char *library);
void guard_leave(const char *before);

#endif
