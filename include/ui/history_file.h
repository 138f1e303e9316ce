/* The history of lines across runs: $XDG_STATE_HOME/goheapx/history, ~/.local/state without that.
   Each line begins with its kind (':', '/', '&', '.' or '='). Only its owner can read it. Failures
   are silent: a lost history is no reason to stop working. */
#ifndef UI_HISTORY_FILE_H
#define UI_HISTORY_FILE_H

/* Tells every line kept, the oldest first. Shortens the file when it has grown too long. */
void history_file_load(void (*line)(void *self, char kind, const char *text), void *self);
void history_file_add(char kind, const char *text);

#endif
