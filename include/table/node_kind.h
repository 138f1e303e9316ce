/* Until all have moved to table/entity.h. */
#include "table/node.h"
