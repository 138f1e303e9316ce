#ifndef FORMAT_CORE_EXE_H
#define FORMAT_CORE_EXE_H

#include "core_runtime.h"

/* Opens rt->memory.exe; exe_path NULL: not named. False: *err says which file is needed. */
bool core_find_exe(struct core_runtime *rt, const char *core_path, bool packed,
                   const char *exe_path, struct err *err);

#endif
