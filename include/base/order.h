/* Orders of arrays, for qsort and bsearch. ORDER_BY(name, type, field); defines the function
   `name`, which compares two elements by a field in ascending order. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#define ORDER_BY(name, type, field) ORDER_BY_TWO(name, type, field, field)

/* Elements with equal fields are in the order of a second field. */
#define ORDER_BY_TWO(name, type, field, second)                    \
	static int name(const void *a, const void *b)                  \
	{                                                              \
		const type *x = a, *y = b;                                 \
		if (x->field != y->field)                                  \
			return x->field < y->field ? -1 : 1;                   \
		return x->second < y->second ? -1 : x->second > y->second; \
	}                                                              \
	_Static_assert(1, "takes the semicolon")

/* The largest field first, and equal ones in ascending order of a second field. */
#define ORDER_MOST_FIRST(name, type, field, second)                \
	static int name(const void *a, const void *b)                  \
	{                                                              \
		const type *x = a, *y = b;                                 \
		if (x->field != y->field)                                  \
			return x->field > y->field ? -1 : 1;                   \
		return x->second < y->second ? -1 : x->second > y->second; \
	}                                                              \
	_Static_assert(1, "takes the semicolon")

#endif
