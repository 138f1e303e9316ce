/* Unix sockets in a folder of the user's own, named by a process. Only processes of the same user
   may connect. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <sys/types.h>

/* Appends the folder: XDG_RUNTIME_DIR, or a folder below TMPDIR or /tmp, which is created with mode
   0700. False: *err, it is not the user's own. */
bool local_socket_folder(struct buf *path, struct err *err);
/* Appends the path of the socket of a process. False: *err. */
bool local_socket_path(pid_t pid, struct buf *path, struct err *err);
/* Returns the process that the name of a socket names; 0: it is no such name. */
pid_t local_socket_process(const char *name);

/* Creates the socket of this process with mode 0600, in place of one that an ended process has
   left, and appends its path. Returns its descriptor, which does not block; -1: *err. Call it
   before any thread runs. */
int local_socket_listen(struct buf *path, struct err *err);
/* Returns the next connection, which does not block; -1: there is none. A process of another user
   is refused. */
int local_socket_accept(int listening);
/* Returns a connection that waits `seconds` at most; -1: *err. */
int local_socket_connect(const char *path, int seconds, struct err *err);
