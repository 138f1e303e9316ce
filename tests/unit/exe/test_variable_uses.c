/* Addresses in code, and the package of a variable according to its users, checked with the symbols
   of programs that have them; the scan does not use these. */
#include "cmocka_all.h"

#include "go/exe/code_operands.h"
#include "go/exe/variable_uses.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

enum { LOW = 0x10000000, HIGH = 0x10001000, PC = 0x400000 };

struct found {
	size_t count;
	uint64_t address;
	enum operand_access access;
};

static void find(void *self, uint64_t pc, uint64_t address, enum operand_access access)
{
	struct found *found = self;
	(void)pc;
	*found = (struct found){found->count + 1, address, access};
}

static struct found scan(unsigned machine, uint64_t low, const uint8_t *code, size_t size)
{
	struct found found = {0};
	struct code_operands operands = {low, low + (HIGH - LOW), NULL, find, &found};
	code_operands_of(machine)(&operands, code, size, PC);
	return found;
}

/* The encodings come from llvm-mc; the test inserts the displacement. */
TEST(test_amd64)
{
	static const struct {
		const char *before, *after; /* bytes before and after the displacement */
		enum operand_access access;
	} code[] = {
		{"\x48\x8b\x05", "", OPERAND_LOADED},                 /* mov x(%rip),%rax */
		{"\x4c\x8d\x0d", "", OPERAND_ADDRESS},                /* lea x(%rip),%r9 */
		{"\x4c\x89\x15", "", OPERAND_STORED},                 /* mov %r10,x(%rip) */
		{"\x83\x3d", "0", OPERAND_LOADED},                    /* cmpl $48,x(%rip) */
		{"\x44\x0f\x11\x3d", "", OPERAND_STORED},             /* movups %xmm15,x(%rip) */
		{"\x0f\x10\x05", "", OPERAND_LOADED},                 /* movups x(%rip),%xmm0 */
		{"\x48\xc7\x05", "\x88\x77\x66\x55", OPERAND_STORED}, /* movq $0x55667788,x(%rip) */
		{"\x66\xc7\x05", "\x66\x55", OPERAND_STORED},         /* movw $0x5566,x(%rip) */
		{"\xc6\x05", "\x01", OPERAND_STORED},                 /* movb $1,x(%rip) */
		{"\xf6\x05", "\x01", OPERAND_LOADED},                 /* testb $1,x(%rip) */
		{"\x48\xff\x05", "", OPERAND_LOADED},                 /* incq x(%rip) */
		{"\x0f\xb6\x05", "", OPERAND_LOADED},                 /* movzbl x(%rip),%eax */
		{"\xf0\x48\x0f\xc1\x05", "", OPERAND_LOADED},         /* lock xaddq %rax,x(%rip) */
		{"\x0f\xba\x25", "\x03", OPERAND_LOADED},             /* btl $3,x(%rip) */
		{"\x48\x69\x05", "\x88\x77\x66\x55", OPERAND_LOADED}, /* imul $0x55667788,x(%rip),%rax */
		{"\x66\x0f\x3a\x44\x0d", "\x01", OPERAND_LOADED},     /* pclmulqdq $1,x(%rip),%xmm1 */
		{"\xff\x15", "", OPERAND_LOADED},                     /* call *x(%rip) */
	};
	for (size_t i = 0; i < sizeof code / sizeof *code; i++) {
		uint8_t bytes[32] = {0x90, 0x90};
		size_t before = strlen(code[i].before), after = strlen(code[i].after);
		size_t end = 2 + before + 4 + after;
		int32_t displacement = LOW + 0x18 - (int32_t)(PC + end);
		memcpy(bytes + 2, code[i].before, before);
		memcpy(bytes + 2 + before, &displacement, sizeof displacement);
		memcpy(bytes + 2 + before + 4, code[i].after, after);
		struct found found = scan(EM_X86_64, LOW, bytes, end + 3);
		if (found.count != 1 || found.address != LOW + 0x18 || found.access != code[i].access)
			fail_msg("instruction %zu: %zu found, 0x%lx, %d", i, found.count,
			         (unsigned long)found.address, (int)found.access);
		/* No operand is read beyond the end. */
		for (size_t size = 0; size < 2 + before + 4; size++)
			assert_int_equal(scan(EM_X86_64, LOW, bytes, size).count, 0);
	}
}

TEST(test_arm64)
{
	static const struct {
		uint32_t word[3];
		size_t words;
		int64_t address; /* relative to the page of the code; 0: none */
		enum operand_access access;
	} code[] = {
		{{0xb0000020, 0x91006000}, 2, 0x5018, OPERAND_ADDRESS},            /* add x0,x0,#24 */
		{{0xb000003b, 0xf9400f61}, 2, 0x5018, OPERAND_LOADED},             /* ldr x1,[x27,#24] */
		{{0xb000003b, 0xf9000f61}, 2, 0x5018, OPERAND_STORED},             /* str x1,[x27,#24] */
		{{0xb000003b, 0x39406361}, 2, 0x5018, OPERAND_LOADED},             /* ldrb w1,[x27,#24] */
		{{0xb000003b, 0x3d800b61}, 2, 0x5020, OPERAND_STORED},             /* str q1,[x27,#32] */
		{{0xb000003b, 0xfd400f61}, 2, 0x5018, OPERAND_LOADED},             /* ldr d1,[x27,#24] */
		{{0xf0ffffdb, 0xb9401b61}, 2, -0x4fe8, OPERAND_LOADED},            /* ldr w1,[x27,#24] */
		{{0xb000003b, 0xaa0403e3, 0x79003361}, 3, 0x5018, OPERAND_STORED}, /* mov; strh */
		{{0xb0000022, 0xf9400f61}, 2, 0, OPERAND_LOADED},                  /* adrp x2 */
		{{0xb000003b}, 1, 0, OPERAND_LOADED},                              /* the code ends there */
	};
	for (size_t i = 0; i < sizeof code / sizeof *code; i++) {
		uint8_t bytes[12];
		for (size_t at = 0; at < sizeof bytes; at++)
			bytes[at] = (uint8_t)(code[i].word[at / 4] >> at % 4 * 8);
		uint64_t address = PC + (uint64_t)code[i].address;
		struct found found =
			scan(EM_AARCH64, (address & ~(uint64_t)0xfff) + 0x10, bytes, code[i].words * 4);
		assert_int_equal(found.count, code[i].address != 0);
		if (!found.count)
			continue;
		assert_int_equal(found.address, address);
		assert_int_equal(found.access, code[i].access);
	}
}

TEST(test_other_machines)
{
	assert_null(code_operands_of(EM_S390));
}

/* ---- Real programs */

struct judged {
	size_t variables, right, inferred, inferred_right;
};

/* Returns the length of the package in a variable's name. */
static size_t package_of(const char *name)
{
	size_t path = strcspn(name, "(["), slash = path;
	while (slash && name[slash - 1] != '/')
		slash--;
	const char *dot = memchr(name + slash, '.', path - slash);
	return dot ? (size_t)(dot - name) : 0;
}

/* Returns false for variables that the compiler creates: "main..typeAssert.3". */
static bool is_declared(const struct image_symbol *symbol, const struct exe_segments *all)
{
	size_t package = package_of(symbol->name);
	bool data = symbol->address >= all->data && symbol->address < all->edata;
	bool bss = symbol->address >= all->bss && symbol->address < all->ebss;
	return symbol->variable && symbol->size >= 8 && (data || bss) && package
	       && symbol->name[package + 1] != '.' && !strchr(symbol->name, ':');
}

static struct judged judge(const char *path)
{
	struct judged judged = {0};
	struct err err = {0};
	struct exe *exe = exe_open(path, NULL, &err);
	if (!exe)
		fail_msg("%s", err.text);
	struct exe_segments segments = exe_segments(exe);
	struct variable_uses uses = variable_uses_scan(exe_pclntab(exe), segments);
	const struct image *image = exe_image(exe);
	for (size_t i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		struct variable_user user;
		if (!is_declared(symbol, &segments))
			continue;
		judged.variables++;
		if (!variable_uses_find(&uses, exe_pclntab(exe), symbol->address, &user)
		    || user.address != symbol->address)
			continue;
		size_t package = package_of(symbol->name);
		bool right = user.package.len == package
		             && memcmp(user.package.data, symbol->name, package) == 0;
		judged.right += right;
		judged.inferred += user.inferred;
		judged.inferred_right += user.inferred && right;
	}
	variable_uses_fini(&uses);
	exe_close(exe);
	return judged;
}

TEST(test_packages_of_variables)
{
	static const char *const paths[] = {
		"build/testdata/core/go1.19-park-plain-quiet.exe",
		"testdata/go1.24.4-small.exe.xz",
		"build/testdata/go1.27-corner.exe",
		"build/testdata/core/go1.24-park-arm64-quiet.exe",
		"build/testdata/real/raftkv-go1.19.exe",
		"../shared/corpus/real/webmetrics-go1.23.exe.xz",
	};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		if (strncmp(paths[i], "..", 2) == 0 && access(paths[i], R_OK) != 0)
			continue;
		struct judged judged = judge(paths[i]);
		print_message("%s: %zu variables, %zu right; inferred %zu, %zu right\n", paths[i],
		              judged.variables, judged.right, judged.inferred, judged.inferred_right);
		assert_true(judged.variables > 200 && judged.inferred > 100);
		assert_true(judged.right * 100 >= judged.variables * 88);
		assert_true(judged.inferred_right * 100 >= judged.inferred * 97);
	}
}
