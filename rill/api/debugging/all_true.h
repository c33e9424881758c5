#pragma once

#include "rill/graph/scope.h"

namespace rill::debugging {

// Pieces of checks, made in current_scope() with the names that TensorFlow's functions give.
Output all_true(Output conditions);  // tf.reduce_all over all axes
Output rank_of(Output x);            // tf.rank: a constant where it is known

}  // namespace rill::debugging
