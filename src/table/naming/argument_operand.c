/* Arguments that are operands: part of table/naming/argument.h. */
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/paths/path_place.h"

bool argument_next_object(const struct analysis *analysis, const char **text, uint32_t *id,
                          struct err *err)
{
	struct operand operand;
	return operand_read(analysis, text, &operand, err)
	       && operand_object(analysis, &operand, id, err);
}

bool argument_object(const struct analysis *analysis, const char *text, uint32_t *id,
                     struct err *err)
{
	return argument_next_object(analysis, &text, id, err) && argument_ends(text, err);
}

bool argument_operand(const struct analysis *analysis, const char *text, struct operand *operand,
                      struct err *err)
{
	return operand_read(analysis, &text, operand, err) && argument_ends(text, err);
}

bool argument_next_node(const struct analysis *analysis, const char **text, uint32_t *node,
                        struct err *err)
{
	struct operand operand;
	return operand_read(analysis, text, &operand, err)
	       && operand_node(analysis, &operand, node, err);
}

bool argument_node(const struct analysis *analysis, const char *text, uint32_t *node,
                   struct err *err)
{
	return argument_next_node(analysis, &text, node, err) && argument_ends(text, err);
}

unsigned argument_needs(const char *text)
{
	if (path_place_may_be(text))
		return operand_set_needs();
	return operand_is_plain(text) ? STAGE_NONE : STAGE_TYPED;
}
