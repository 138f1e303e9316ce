/* The history of lines across sessions: $XDG_STATE_HOME/goheapx/history, or ~/.local/state. Each
   line begins with its kind (':', '/', '&', '.' or '='). Only its owner can read it. Failures are
   silent, because the explorer works without a history. */
#pragma once

/* Calls `line` for every saved line, the oldest first. Shortens the file if it is too long. */
void history_file_load(void (*line)(void *self, char kind, const char *text), void *self);
void history_file_add(char kind, const char *text);
