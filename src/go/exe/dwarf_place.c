#include "dwarf_place.h"

#include "base/cursor.h"

enum { MAX_STEPS = 32 };

struct step {
	unsigned atom;
	uint64_t number;
};

static uint64_t sleb(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0; cursor_left(c) > 0 && shift < 64; shift += 7) {
		uint8_t byte = *c->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return byte & 0x40 && shift + 7 < 64 ? value | ~UINT64_C(0) << (shift + 7) : value;
	}
	cursor_fail(c);
	return 0;
}

static uint64_t fixed(const struct image *image, struct cursor *c, unsigned bytes)
{
	const uint8_t *data = cursor_bytes(c, bytes);
	return data ? image_decode(image, data, bytes) : 0;
}

static struct step decode(const struct image *image, struct cursor *c)
{
	struct step step = {.atom = *c->at++};
	if (step.atom == DW_OP_addr)
		step.number = fixed(image, c, image->pointer_size);
	else if (step.atom == DW_OP_fbreg || step.atom == DW_OP_consts)
		step.number = sleb(c);
	else if (step.atom == DW_OP_plus_uconst || step.atom == DW_OP_piece || step.atom == DW_OP_regx)
		step.number = cursor_uvarint(c);
	else if (step.atom != DW_OP_call_frame_cfa && step.atom != DW_OP_plus
	         && (step.atom < DW_OP_reg0 || step.atom > DW_OP_reg31))
		cursor_fail(c); /* Go uses no other operation for memory */
	return step;
}

/* Decodes a single location. Returns the number of steps; 0 if it has none or is not supported. */
static unsigned block_steps(const struct image *image, Dwarf_Attribute *location,
                            struct step *steps)
{
	Dwarf_Block block;
	if (dwarf_formblock(location, &block) != 0)
		return 0;
	struct cursor c = cursor_make(block.data, block.length, 0);
	unsigned count = 0;
	while (cursor_left(&c) > 0 && count < MAX_STEPS)
		steps[count++] = decode(image, &c);
	return cursor_ok(&c) && cursor_left(&c) == 0 ? count : 0;
}

/* Reads the steps of a location list that apply at a pc. */
static unsigned list_steps(Dwarf_Attribute *location, uint64_t pc, struct step *steps)
{
	Dwarf_Op *ops;
	size_t len;
	if (dwarf_getlocation_addr(location, pc, &ops, &len, 1) != 1 || len > MAX_STEPS)
		return 0;
	for (size_t i = 0; i < len; i++)
		steps[i] = (struct step){ops[i].atom, ops[i].number};
	return (unsigned)len;
}

static bool is_block(Dwarf_Attribute *location)
{
	static const unsigned forms[] = {DW_FORM_block1, DW_FORM_block2, DW_FORM_block4, DW_FORM_block,
	                                 DW_FORM_exprloc};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (dwarf_whatform(location) == forms[i])
			return true;
	return false;
}

bool dwarf_place_address(const struct image *image, Dwarf_Attribute *location, uint64_t *address)
{
	struct step steps[MAX_STEPS];
	if (!is_block(location) || block_steps(image, location, steps) != 1
	    || steps[0].atom != DW_OP_addr)
		return false;
	*address = steps[0].number;
	return *address != 0;
}

bool dwarf_place_member(const struct image *image, Dwarf_Attribute *location, uint64_t *offset)
{
	struct step steps[MAX_STEPS];
	Dwarf_Word word;
	if (is_block(location)) {
		unsigned count = block_steps(image, location, steps);
		*offset = count ? steps[0].number : 0;
		return count == 1 && steps[0].atom == DW_OP_plus_uconst;
	}
	if (dwarf_formudata(location, &word) != 0)
		return false;
	*offset = word;
	return true;
}

/* Evaluates the steps of one piece from steps[*at] on. Returns true if it is in memory. */
static bool evaluate(const struct step *steps, unsigned count, unsigned *at,
                     struct exe_piece *piece)
{
	uint64_t stack[MAX_STEPS];
	unsigned depth = 0;
	bool memory = false, other = false;
	for (; *at < count && steps[*at].atom != DW_OP_piece; ++*at) {
		const struct step *step = &steps[*at];
		if (step->atom == DW_OP_addr || step->atom == DW_OP_fbreg
		    || step->atom == DW_OP_call_frame_cfa) {
			piece->absolute = step->atom == DW_OP_addr;
			other |= memory;
			memory = true;
			stack[depth++] = step->number;
		} else if (step->atom == DW_OP_consts) {
			stack[depth++] = step->number;
		} else if (step->atom == DW_OP_plus && depth >= 2) {
			stack[depth - 2] += stack[depth - 1];
			depth--;
		} else if (step->atom == DW_OP_plus_uconst && depth >= 1) {
			stack[depth - 1] += step->number;
		} else {
			other = true;
		}
	}
	piece->place = memory && depth == 1 ? (int64_t)stack[0] : 0;
	return memory && depth == 1 && !other;
}

unsigned dwarf_place_pieces(const struct image *image, Dwarf_Attribute *location, uint64_t pc,
                            struct exe_piece *pieces)
{
	struct step steps[MAX_STEPS];
	unsigned count = is_block(location) ? block_steps(image, location, steps)
	                                    : list_steps(location, pc, steps);
	unsigned found = 0;
	uint64_t offset = 0;
	for (unsigned at = 0; at < count && found < EXE_PIECES; at++) {
		struct exe_piece piece = {.offset = offset};
		bool memory = evaluate(steps, count, &at, &piece);
		/* operand of the step that ends the piece */
		piece.size = at < count ? steps[at].number : 0;
		offset += piece.size;
		if (memory)
			pieces[found++] = piece;
	}
	return found;
}
