/* The number of views that stay open before and after the current one. */
#include "analysis/analysis.h"
#include "ui/view_stack.h"

#include "cmocka_all.h"
#include "ui/rows_view.h"
#include "ui/state.h"

/* Views up to NEAR places away stay open, if they have at most MOST rows together. */
enum { VIEWS = 60, NEAR = 25, MOST = 30000000 };

static struct rows_view shape; /* of the views opened next */
static size_t alive;

static bool open_shape(struct view *view, struct err *err)
{
	(void)err;
	view->data = &shape;
	alive++;
	return true;
}

static void close_shape(struct view *view)
{
	view->data = NULL; /* it is static */
	alive--;
}

struct stack {
	struct view_ops ops;
	struct analysis *analysis;
	struct explorer explorer;
	struct view_stack views;
};

static void stack_begin(struct stack *stack, size_t rows)
{
	shape = (struct rows_view){rows, 1};
	*stack =
		(struct stack){.ops = *rows_view(&shape).ops, .analysis = analysis_new("/dev/null", NULL)};
	stack->ops.open = open_shape;
	stack->ops.close = close_shape;
	view_stack_init(&stack->views, &stack->explorer, stack->analysis);
}

static void stack_grow(struct stack *stack, size_t count)
{
	const struct location location = {.ops = &stack->ops};
	for (size_t i = 0; i < count; i++)
		assert_true(view_stack_open(&stack->views, &location, &(struct err){0}));
}

static void stack_go(struct stack *stack, int step, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(view_stack_go(&stack->views, step, &(struct err){0}));
}

/* Checks that exactly the places first ... first + count - 1 are open. */
static void stack_has_open(const struct stack *stack, size_t first, size_t count)
{
	assert_int_equal(alive, count);
	for (size_t i = 0; i < stack->views.count; i++)
		assert_int_equal(stack->views.entries[i].view != NULL, i - first < count);
}

static void stack_end(struct stack *stack)
{
	view_stack_fini(&stack->views);
	analysis_free(stack->analysis);
	assert_int_equal(alive, 0);
}

TEST(distant_views_are_closed)
{
	struct stack stack;
	stack_begin(&stack, 10);
	stack_grow(&stack, NEAR + 1);
	stack_has_open(&stack, 0, NEAR + 1);
	stack_grow(&stack, VIEWS - NEAR - 1);
	stack_has_open(&stack, VIEWS - 1 - NEAR, NEAR + 1);
	stack_go(&stack, -1, NEAR); /* all of these are still open */
	stack_has_open(&stack, VIEWS - 1 - NEAR, NEAR + 1);
	stack_go(&stack, -1, 10); /* these are opened again, and the last ones closed */
	stack_has_open(&stack, VIEWS - 1 - NEAR - 10, NEAR + 1);
	stack_go(&stack, 1, NEAR);
	stack_has_open(&stack, VIEWS - 1 - NEAR - 10, NEAR + 1);
	stack_go(&stack, 1, 1);
	stack_has_open(&stack, VIEWS - NEAR - 10, NEAR + 1);
	stack_end(&stack);
}

TEST(views_with_very_many_rows_are_closed_sooner)
{
	struct stack stack;
	stack_begin(&stack, MOST / 3);
	stack_grow(&stack, 10);
	stack_has_open(&stack, 6, 4);
	stack_end(&stack);
	stack_begin(&stack, MOST / 3 + 1);
	stack_grow(&stack, 10);
	stack_has_open(&stack, 7, 3);
	stack_end(&stack);
}
