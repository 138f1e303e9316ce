/* Adds a line to the file of notes, under a lock. */
#include "table/notes/notes_file.h"

#include "base/text.h"
#include "base/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Appends a line to the locked file. False: *err, and the file is as it was. */
static bool notes_append(int fd, const struct buf *line, struct err *err)
{
	size_t header = strlen(notes_header);
	char first[64] = {0}, last = '\n';
	struct stat info;
	SCOPED_BUF out = {0};
	if (fstat(fd, &info) != 0 || pread(fd, first, header + 1, 0) < 0)
		return err_set(err, "The notes cannot be read: %s", strerror(errno));
	if (info.st_size && (memcmp(first, notes_header, header) != 0 || first[header] != '\n'))
		return err_set(err,
		               "The notes were written by another version of goheapx: the file is left "
		               "as it is");
	if (info.st_size + (off_t)line->len > NOTES_MOST)
		return err_set(err, "There is no room for more notes: the file has %d MB",
		               NOTES_MOST >> 20);
	if (info.st_size && pread(fd, &last, 1, info.st_size - 1) == 1 && last != '\n')
		buf_add_char(&out, '\n'); /* behind a line that was cut */
	if (!info.st_size)
		buf_addf(&out, "%s\n", notes_header);
	buf_add_bytes(&out, line->data, line->len);
	bool done = write(fd, out.data, out.len) == (ssize_t)out.len;
	if (!done) {
		err_set(err, "The note cannot be written: %s", strerror(errno ? errno : ENOSPC));
		if (ftruncate(fd, info.st_size) != 0)
			err_set(err, "The notes cannot be written");
	}
	return done;
}

/* Makes the line, with its newline. */
static void notes_add_line(const struct buf field[NOTE_FIELDS], struct buf *line)
{
	for (size_t i = 0; i < NOTE_FIELDS; i++)
		buf_addf(line, "%s%c", buf_text(&field[i]), i + 1 < NOTE_FIELDS ? '\t' : '\n');
}

bool notes_write(const struct analysis *analysis, enum note_kind kind, const char *subject,
                 enum note_verdict verdict, const char *text, struct err *err)
{
	struct buf field[NOTE_FIELDS] = {0}, path = {0}, line = {0};
	time_t now = time(NULL);
	struct tm parts;
	char when[32] = "";
	if (gmtime_r(&now, &parts))
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
	buf_add(&field[FIELD_TIME], when);
	notes_describe(analysis, field);
	buf_add(&field[FIELD_KIND], note_kinds[kind]);
	text_add_escaped(&field[FIELD_SUBJECT], subject, strlen(subject), NOTE_MOST);
	if (kind == NOTE_OBJECT)
		notes_about(analysis, subject, &field[FIELD_ABOUT]);
	buf_add(&field[FIELD_WHAT], verdict == VERDICTS ? "note"
	                            : verdict           ? note_verdicts[verdict]
	                                                : "none");
	text_add_escaped(&field[FIELD_SAID], text, strlen(text), NOTE_MOST);
	notes_add_line(field, &line);
	int fd = -1;
	if (!user_folder(&path, USER_STATE))
		err_set(err, "There is no folder for notes: neither XDG_STATE_HOME nor HOME is set");
	else {
		user_folder_make(&path);
		buf_add(&path, "/notes");
		fd = user_file_open(path.data, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, err);
	}
	bool done = fd >= 0
	            && (user_file_lock(fd)
	                || err_set(err, "The notes are locked by another program: try again"))
	            && notes_append(fd, &line, err);
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; i < NOTE_FIELDS; i++)
		buf_free(&field[i]);
	buf_free(&path);
	buf_free(&line);
	return done;
}
