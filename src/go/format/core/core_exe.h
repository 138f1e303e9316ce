#pragma once

#include "core_runtime.h"

/* Opens rt->memory.exe; exe_path is NULL if the user names none. Returns false with *err that says
   which file is needed. */
bool core_find_exe(struct core_runtime *rt, const char *core_path, bool packed,
                   const char *exe_path, struct err *err);
