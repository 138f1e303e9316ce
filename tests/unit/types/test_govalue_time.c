/* Times and durations, compared with the output of Go 1.24. */
#include "go/types/govalue_read.h"

#include "cmocka_all.h"

static const uint64_t MONOTONIC = 1ULL << 63;

static void check_time(uint64_t wall, int64_t ext, const char *expected)
{
	SCOPED_BUF out = {0};
	govalue_time_add(wall, ext, &out);
	assert_string_equal(buf_text(&out), expected);
}

/* ext is the number of seconds since year 1, which is 62135596800 more than Unix time. */
TEST(times_without_monotonic_clock)
{
	check_time(0, 0, "0001-01-01T00:00:00Z");
	check_time(0, 62135596800, "1970-01-01T00:00:00Z");
	check_time(123456789, 62135596800 + 951782399, "2000-02-28T23:59:59.123456789Z");
	check_time(500000000, 62135596800 + 951782400, "2000-02-29T00:00:00.5Z");
	check_time(0, 62135596800 + 4107542400, "2100-03-01T00:00:00Z");
	check_time(1, 62135596799, "1969-12-31T23:59:59.000000001Z");
	check_time(0, -1, "0000-12-31T23:59:59Z");
}

/* wall has the seconds since 1885 above 30 bits of nanoseconds, ext is the monotonic clock. */
TEST(times_with_monotonic_clock)
{
	uint64_t from_1885 = 1700000000 + 2682288000ULL;
	check_time(MONOTONIC | from_1885 << 30 | 250000000, 77, "2023-11-14T22:13:20.25Z (monotonic)");
	check_time(MONOTONIC, 0, "1885-01-01T00:00:00Z (monotonic)");
}

/* Any bits give a text. */
TEST(times_that_cannot_be)
{
	static const int64_t seconds[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -62135596800};
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		SCOPED_BUF out = {0};
		govalue_time_add(UINT64_MAX >> 1, seconds[i], &out);
		assert_true(out.len > 20);
	}
}

TEST(durations_are_those_of_go)
{
	static const struct {
		int64_t nanoseconds;
		const char *text;
	} cases[] = {
		{0, "0s"},
		{1, "1ns"},
		{1100, "1.1µs"},
		{2200000, "2.2ms"},
		{3300000000, "3.3s"},
		{-1500000000, "-1.5s"},
		{245000000000, "4m5s"},
		{245001000000, "4m5.001s"},
		{18367001000000, "5h6m7.001s"},
		{480000000001, "8m0.000000001s"},
		{3600000000000, "1h0m0s"},
		{INT64_MAX, "2562047h47m16.854775807s"},
		{INT64_MIN, "-2562047h47m16.854775808s"},
		{999999999, "999.999999ms"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		SCOPED_BUF out = {0};
		govalue_duration_add(cases[i].nanoseconds, &out);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
}
