/* The arguments of tables. */
#include "cmocka_all.h"

#include "base/buf.h"
#include "table/naming/argument.h"

TEST(addresses_are_hexadecimal)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t address;
	} cases[] = {
		{"0xc000012340", true, 0xc000012340},
		{"C000012340", true, 0xc000012340},
		{"10", true, 0x10},
		{"0XFF", true, 0xff},
		{"ffffffffffffffff", true, UINT64_MAX},
		{"0x10000000000000000", false, 0},
		{"", false, 0},
		{"0x", false, 0},
		{"0x12 ", false, 0},
		{"-1", false, 0},
		{"xyz", false, 0},
		{"0x0x1", false, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t address = 0;
		assert_int_equal(argument_address(cases[i].text, &address), cases[i].good);
		if (cases[i].good)
			assert_true(address == cases[i].address);
	}
}

TEST(settings_have_a_name_and_a_number)
{
	uint64_t number;
	bool ok;
	assert_true(argument_setting("size=4k", "size", &number, &ok));
	assert_true(ok && number == 4096);
	assert_true(argument_setting("size=", "size", &number, &ok));
	assert_false(ok);
	assert_true(argument_setting("size=1x", "size", &number, &ok));
	assert_false(ok);
	assert_false(argument_setting("sizes=1", "size", &number, &ok));
	assert_false(argument_setting("size", "size", &number, &ok));
}

TEST(words_are_split_at_blanks)
{
	static const struct {
		const char *text, *first, *second;
	} cases[] = {
		{"17 3", "17", "3"},
		{"  17\t 3 4", "17", "3"},
		{"17", "17", ""},
		{"", "", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		SCOPED_BUF first = {0}, second = {0};
		argument_split(cases[i].text, &first, &second);
		assert_string_equal(buf_text(&first), cases[i].first);
		assert_string_equal(buf_text(&second), cases[i].second);
	}
}
