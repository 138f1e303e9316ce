#include "govalue_read.h"

#include <inttypes.h>
#include <stdbool.h>

enum { DAY = 86400, NANOSECONDS = 1000000000 };

/* Appends a fraction such as ".25", given a number of `digits` digits; nothing for 0. */
static void add_fraction(uint64_t part, unsigned digits, struct buf *out)
{
	if (!part)
		return;
	while (part % 10 == 0) {
		part /= 10;
		digits--;
	}
	buf_addf(out, ".%0*" PRIu64, (int)digits, part);
}

/* Appends the date of a day, counted from 0000-03-01 of the Gregorian calendar: if years begin in
   March, the leap day is their last day. */
static void add_date(int64_t day, struct buf *out)
{
	enum { DAYS_OF_400_YEARS = 146097 };
	int64_t era = day / DAYS_OF_400_YEARS - (day % DAYS_OF_400_YEARS < 0);
	int64_t of_era = day - era * DAYS_OF_400_YEARS;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* 0 is March */
	int64_t of_month = of_year - (153 * month + 2) / 5 + 1;
	year += era * 400 + (month >= 10);
	buf_addf(out, "%04" PRId64 "-%02d-%02d", year, (int)(month >= 10 ? month - 9 : month + 3),
	         (int)of_month);
}

void govalue_time_add(uint64_t wall, int64_t ext, struct buf *out)
{
	enum { NANOSECOND_BITS = 30, FIRST_DAY = 306 /* 0001-01-01 as days since 0000-03-01 */ };
	bool monotonic = wall >> 63;
	int64_t from_1885 = (int64_t)(wall << 1 >> (NANOSECOND_BITS + 1));
	int64_t years = 1884LL * 365 + 1884 / 4 - 1884 / 100 + 1884 / 400;
	int64_t seconds = monotonic ? years * DAY + from_1885 : ext;
	int of_day = (int)(seconds % DAY);
	int64_t day = seconds / DAY - (of_day < 0);
	of_day += of_day < 0 ? DAY : 0;
	add_date(day + FIRST_DAY, out);
	buf_addf(out, "T%02d:%02d:%02d", of_day / 3600, of_day / 60 % 60, of_day % 60);
	add_fraction((wall & ((1U << NANOSECOND_BITS) - 1)) % NANOSECONDS, 9, out);
	buf_add(out, monotonic ? "Z (monotonic)" : "Z");
}

void govalue_duration_add(int64_t nanoseconds, struct buf *out)
{
	static const struct {
		uint64_t size;
		unsigned digits;
		const char *name;
	} units[] = {{1, 0, "ns"}, {1000, 3, "µs"}, {1000000, 6, "ms"}};
	uint64_t left = nanoseconds < 0 ? -(uint64_t)nanoseconds : (uint64_t)nanoseconds;
	if (nanoseconds < 0)
		buf_add_char(out, '-');
	if (left == 0) {
		buf_add(out, "0s");
		return;
	}
	for (size_t i = 0; i < 3 && left < NANOSECONDS; i++) {
		if (left >= units[i].size * 1000)
			continue;
		buf_addf(out, "%" PRIu64, left / units[i].size);
		add_fraction(left % units[i].size, units[i].digits, out);
		buf_add(out, units[i].name);
		return;
	}
	uint64_t seconds = left / NANOSECONDS;
	if (seconds >= 3600)
		buf_addf(out, "%" PRIu64 "h", seconds / 3600);
	if (seconds >= 60)
		buf_addf(out, "%" PRIu64 "m", seconds / 60 % 60);
	buf_addf(out, "%" PRIu64, seconds % 60);
	add_fraction(left % NANOSECONDS, 9, out);
	buf_add_char(out, 's');
}
