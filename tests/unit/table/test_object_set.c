/* What an argument of the table objects says of its set: by its operands, not by its words. */
#include "cmocka_all.h"

#include "table/contents/object_set.h"

TEST(sets_of_a_type_and_of_a_place)
{
	struct object_set_form form = object_set_form("type=main.A");
	assert_true(form.of_type && form.names_type);
	assert_false(form.of_place || form.and_type || form.either);
	form = object_set_form("at=main.cache[*] minus reachable");
	assert_true(form.of_place);
	assert_false(form.of_type || form.names_type || form.and_type || form.either);
	form = object_set_form("reachable");
	assert_false(form.of_type || form.of_place || form.names_type || form.either);
}

TEST(operands_behind_the_first)
{
	struct object_set_form form = object_set_form("reachable and type=main.A");
	assert_true(form.and_type && form.names_type);
	assert_false(form.of_type || form.either);
	form = object_set_form("type=main.A minus type=main.B");
	assert_true(form.of_type && form.names_type);
	assert_false(form.and_type || form.either);
	form = object_set_form("type=main.A or at=main.b");
	assert_true(form.of_type && form.either);
	assert_false(form.of_place);
}

/* A text or an inner set that has the words is none of them. */
TEST(words_in_quotation_marks_and_parentheses)
{
	struct object_set_form form = object_set_form("at=main.m[\"a or type=b and type=c\"]");
	assert_true(form.of_place);
	assert_false(form.either || form.and_type || form.names_type);
	form = object_set_form("at=main.b and (type=main.A or type=main.B)");
	assert_true(form.of_place);
	assert_false(form.either || form.and_type || form.names_type);
}

TEST(an_operand_is_put_in_parentheses_where_it_must_be)
{
	SCOPED_BUF one = {0}, two = {0};
	object_set_add_operand(&one, "at=main.m[\"a or type=b\"]");
	object_set_add_operand(&two, "type=main.A or type=main.B");
	assert_string_equal(buf_text(&one), "at=main.m[\"a or type=b\"]");
	assert_string_equal(buf_text(&two), "(type=main.A or type=main.B)");
}
