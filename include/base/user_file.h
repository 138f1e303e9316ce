/* The user's own files: settings, saved state and caches, in the folders of the XDG base directory
   specification. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

enum user_folder { USER_CONFIG, USER_STATE, USER_CACHE, USER_FOLDERS };

/* Appends the path of a folder, "~/.config/goheapx" for example. False: neither the variable that
   names it, such as XDG_CONFIG_HOME, nor HOME is an absolute path. */
bool user_folder(struct buf *path, enum user_folder folder);
/* Creates a folder and those above it, with mode 0700, but not the home directory
   itself. Failures are silent: opening a file in it
   fails then. */
void user_folder_make(struct buf *path);

/* Opens a regular file with the flags of open(2), and creates it with mode 0600 if O_CREAT is among
   them. Never blocks. -1: *err names the file and the reason; errno tells ENOENT. A pipe, a device
   or a folder is refused. */
int user_file_open(const char *path, int flags, struct err *err);
/* Locks an open file against other explorers, until it is closed. Waits two seconds, not forever:
   another program may have stopped while it holds the lock. */
bool user_file_lock(int fd);
/* Appends the contents of a regular file of at most `most` bytes. False: *err; errno tells
   ENOENT. */
bool user_file_read(const char *path, size_t most, struct buf *text, struct err *err);
