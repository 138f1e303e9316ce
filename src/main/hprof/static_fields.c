#include "main/hprof/statics.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/entity.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hprof_add_package(struct hprof_packages *p, const char *name, uint32_t text)
{
	uint64_t id = hprof_new_id(p->h);
	p->package = mem_grow(p->package, p->count, &p->capacity, sizeof *p->package);
	p->package[p->count] = (struct hprof_package){
		.name = text, .id = id, .serial = hprof_classes_name(p->classes, id, name)};
	return (uint32_t)p->count++;
}

/* Type arguments may contain slashes and dots, so the package ends before them. A word without a
   known variable gets its segment as a package. */
uint32_t hprof_package_of(struct hprof_packages *p, const char *name, const char **rest)
{
	size_t end = strcspn(name, "[(+"), slash = end;
	while (slash > 0 && name[slash - 1] != '/')
		slash--;
	size_t dot = slash + strcspn(name + slash, ".[(+");
	SCOPED_BUF package = {0};
	buf_add_bytes(&package, name, dot);
	*rest = name + dot + (name[dot] == '.');
	if (!package.len || !**rest) {
		buf_clear(&package);
		buf_add(&package, "go");
		*rest = name;
	}
	uint32_t text = hprof_text(p->h, buf_text(&package));
	uint64_t number;
	if (!map_get(&p->of_name, text, &number)) {
		number = hprof_add_package(p, buf_text(&package), text);
		map_put(&p->of_name, text, number);
	}
	return (uint32_t)number;
}

ORDER_BY_TWO(hprof_variable_by_package, struct hprof_variable, package, number);

/* Splits a package with too many variables into several classes of the same name. */
static void hprof_spread(struct hprof_packages *p)
{
	for (size_t i = 0; i < p->variables;) {
		size_t first = i, named = p->variable[i].package;
		while (i < p->variables && p->variable[i].package == named && i - first < HPROF_FIELDS_MAX)
			i++;
		if (p->package[named].count)
			named = hprof_add_package(p, string_set_text(&p->h->texts, p->package[named].name - 1),
			                          p->package[named].name);
		p->package[named].first = first;
		p->package[named].count = i - first;
	}
}

void hprof_packages_find(struct hprof_packages *p, const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF name = {0};
	for (uint32_t i = 0; i < heap->root_count && p->h->ok; i++) {
		const struct root *root = &heap->roots[i];
		const char *rest;
		if (root->kind != ROOT_DATA && root->kind != ROOT_BSS)
			continue;
		buf_clear(&name);
		entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), &name);
		struct hprof_variable variable = {.object = root->target, .number = i};
		variable.package = hprof_package_of(p, buf_text(&name), &rest);
		variable.name = hprof_text(p->h, rest);
		MEM_PUSH(p->variable, p->variables, p->variable_capacity, variable);
	}
	if (p->variables)
		qsort(p->variable, p->variables, sizeof *p->variable, hprof_variable_by_package);
	hprof_spread(p);
}

void hprof_packages_write(struct hprof_packages *p, uint64_t super)
{
	struct hprof *h = p->h;
	for (size_t i = 0; i < p->count; i++) {
		const struct hprof_package *package = &p->package[i];
		struct buf *out = hprof_class(h, package->id, super, 0, package->count);
		hprof_number(out, package->count, 2);
		for (size_t k = package->first; k < package->first + package->count; k++) {
			hprof_id(h, out, p->variable[k].name);
			hprof_number(out, HPROF_OBJECT, 1);
			hprof_id(h, out, hprof_object_id(h, heap_address(h->heap, p->variable[k].object)));
		}
		hprof_number(out, 0, 2); /* fields */
		hprof_id(h, hprof_sub(h, HPROF_STICKY_CLASS, h->id_size), package->id);
	}
}

void hprof_packages_free(struct hprof_packages *p)
{
	free(p->package);
	free(p->variable);
	map_free(&p->of_name);
}
