/* The database of packages of Debian's dpkg: which package a file of this system came with. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

#define PACKAGE_LISTS "/var/lib/dpkg/info" /* a list of files for each package */

/* Appends the name of the package that a file belongs to, as it is on this system. `lists` is the
   folder of the database. False: none, or there is no such database. */
bool package_of(const char *lists, const char *path, struct buf *name);
