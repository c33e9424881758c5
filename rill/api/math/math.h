#pragma once

// tf.math, tf.bitwise and what of tf belongs to them, in one header.

// IWYU pragma: begin_exports
#include "rill/api/gen/plain_math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/einsum.h"
#include "rill/api/math/histogram.h"
#include "rill/api/math/matrices.h"
#include "rill/api/math/norms.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/search.h"
#include "rill/api/math/segments.h"
#include "rill/api/math/sequences.h"
// IWYU pragma: end_exports
