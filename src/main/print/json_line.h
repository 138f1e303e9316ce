/* Messages of servers: a line of JSON each, on the standard output. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Writes a message as a line, and frees it. *gone becomes true when nobody reads any more; nothing
   is written then. */
void json_line_write(json_t *message, bool *gone);
