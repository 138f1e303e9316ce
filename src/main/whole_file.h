/* A file that has its name once it is whole: before that it has none, where the file system can do
   that, and else one beside it that is taken away when a signal ends the program. One at a time. */
#ifndef MAIN_WHOLE_FILE_H
#define MAIN_WHOLE_FILE_H

#include "base/err.h"

/* For its owner only, to be read and written. -1: *err. */
int whole_file_open(const char *path, struct err *err);
/* Gives it its name, in the stead of what there may have been. False: errno. */
bool whole_file_name(int fd, const char *path);
/* Nothing is left of it, unless it has its name. False: errno, it may not be whole after all. */
bool whole_file_close(int fd);

#endif
