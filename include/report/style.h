/* Text styles; src/ui/term.c maps them to terminal attributes. */
#pragma once

enum style {
	STYLE_PLAIN,
	STYLE_FAINT,
	STYLE_HEAD,
	STYLE_LINK,
	STYLE_WARNING,
	STYLE_GUESS,
	STYLE_BAR,
	STYLE_MATCH,
	STYLE_ADDRESS,
	STYLE_BLOCK,
	STYLE_BLOCK_NEXT,
	STYLE_GREW,
	STYLE_NEW,
	STYLE_SHRANK,
	STYLE_WASTE, /* what is not used */
	STYLE_COUNT
};
