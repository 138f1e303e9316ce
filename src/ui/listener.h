/* The socket of an explorer, over which an agent shows views: one message a connection, a line of
   JSON, and one line as the answer. */
#pragma once

#include "base/err.h"
#include "ui/explorer.h"

struct listener;

/* Begins to listen. It also watches `wake`, so that its descriptor is readable after either has
   news. Call it before any thread runs. NULL: *err. */
struct listener *listener_open(int wake, struct err *err);
const char *listener_path(const struct listener *listener);
int listener_fd(const struct listener *listener);
/* Takes connections and messages that have arrived, without waiting. While `occupied`, the person
   keeps the view. True: the screen must be redrawn. */
bool listener_serve(struct listener *listener, struct explorer *explorer, bool occupied);
void listener_close(struct listener *listener); /* removes the socket; accepts NULL */
