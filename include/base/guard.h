/* Guards calls of libraries that crash when they get no memory, or that may crash on malicious
   input. A crash between guard_enter and guard_leave is reported: the program restores the terminal
   and exits with status 2, as it does when it runs out of memory (base/mem.h). */
#pragma once

/* Marks that this thread enters, or leaves, the library with the given name. guard_enter returns
   the name of the library that the thread was in before, or NULL; pass it to guard_leave. Both
   preserve errno. */
const char *guard_enter(const char *library);
void guard_leave(const char *before);
