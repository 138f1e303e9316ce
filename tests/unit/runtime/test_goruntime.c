/* Pools and interfaces of the program "small", according to its truth. */
#include "runtime/opened.h"

#include "go/runtime/goiface.h"
#include "go/runtime/sync_pools.h"

#include <stdlib.h>
#include <string.h>

/* The objects put into main.gPool are in its local pools, or, after a collection, in its
   victims. */
TEST(test_pools)
{
	enum { VICTIM = 16 };
	SCOPED_OPENED o;
	opened_types(&o, "go1.24.4-small", false);
	struct sync_pools pools = sync_pools_find(o.heap, o.of.image, 0, NULL);
	const json_t *global = json_object_get(json_object_get(o.truth, "Globals"), "main.gPool");
	uint64_t pool = opened_address(json_object_get(global, "addr"));
	const uint64_t held[] = {opened_word(&o, pool), opened_word(&o, pool + VICTIM)};
	unsigned found = 0, holds = 0;
	for (uint32_t i = 0; i < pools.count; i++) {
		assert_true(i == 0 || pools.object[i - 1] < pools.object[i]);
		for (size_t n = 0; n < 2; n++)
			found += held[n] && heap_address(o.heap, pools.object[i]) == held[n];
	}
	for (size_t n = 0; n < 2; n++)
		holds += held[n] != 0;
	assert_int_equal(found, holds);
	assert_true(pools.count > 0);
	sync_pools_fini(&pools);
	assert_int_equal(sync_pools_find(o.heap, NULL, 0, NULL).count, 0);
}

static void assert_dynamic(const struct opened *o, const char *extra, bool has_methods,
                           const char *type, bool direct)
{
	uint64_t word = opened_address(json_object_get(json_object_get(o->truth, "Extra"), extra));
	gotype_id id = goiface_dynamic(&o->rt, word, has_methods);
	assert_string_equal(gotype_get(o->of.types, id)->name, type);
	assert_int_equal(goiface_find(&o->rt, word, has_methods), id);
	assert_int_equal(goiface_is_direct(o->of.types, id), direct);
	assert_int_equal(goiface_dynamic(&o->rt, word + 1, has_methods), 0);
}

TEST(test_interfaces)
{
	for (unsigned stripped = 0; stripped < 2; stripped++) {
		SCOPED_OPENED o;
		opened_types(&o, "go1.24.4-small", stripped);
		assert_dynamic(&o, "itab_of_gIface", true, "*main.Circle", true);
		assert_dynamic(&o, "itab_of_gIfaceVal", true, "main.Square", false);
		assert_dynamic(&o, "type_of_gEface", false, "*main.Circle", true);
		assert_int_equal(goiface_dynamic(&o.rt, 0, true), 0);
	}
}

/* Numbers and words have the byte order and size of the dump's machine. */
TEST(test_memory)
{
	const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const char *const names[] = {"go1.24.4-small-mips", "go1.24.4-small"};
	for (size_t i = 0; i < 2; i++) {
		SCOPED_OPENED o;
		struct gomemory_piece piece;
		opened_dump(&o, names[i]);
		assert_int_equal(gomemory_number(o.heap, bytes, 4), i ? 0x04030201 : 0x01020304);
		assert_int_equal(gomemory_number(o.heap, bytes, 1), 1);
		uint64_t node = opened_global(&o, "main.gListHead");
		assert_true(gomemory_piece(o.heap, node, &piece));
		assert_non_null(gomemory_in_piece(&piece, node, piece.size));
		assert_null(gomemory_in_piece(&piece, node, piece.size + 1));
		assert_null(gomemory_in_piece(&piece, node - 1, 1));
		assert_null(gomemory_in_piece(&piece, node + piece.size, 0));
		assert_false(gomemory_piece(o.heap, 1, &piece));
	}
}
