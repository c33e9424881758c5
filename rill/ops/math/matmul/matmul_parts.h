#pragma once

#include "rill/graph/gradient_parts.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

inline void require_same_depth(const ShapeCtx& c, std::int64_t k_a, std::int64_t k_b) {
  require(compatible(k_a, k_b),
          when_run("Matrix size-incompatible: In[0]: ", c.input(0), ", In[1]: ", c.input(1)),
          when_built("Dimensions must be equal, but are ", k_a, " and ", k_b));
}

// The product of two matrices, which transpose_a and transpose_b may turn.
inline Shapes matrix_product_shape(const ShapeCtx& c) {
  const auto [m, k] = c.matrix(0, c.flag("transpose_a"));
  const auto [k2, n] = c.matrix(1, c.flag("transpose_b"));
  require_same_depth(c, k, k2);
  return {{m, n}};
}

// Both gradients of a product, whose factors were transposed (`a`, `b`) or not, from
// product(x, y, transpose x, transpose y).
template <class Product>
void product_grads(GradCtx& g, bool a, bool b, Product product) {
  const Output x = g.input(0), y = g.input(1), dy = g.dy();
  if (!a && !b) {
    g.set(0, product(dy, y, false, true));
    g.set(1, product(x, dy, true, false));
  } else if (!a) {
    g.set(0, product(dy, y, false, false));
    g.set(1, product(dy, x, true, false));
  } else if (!b) {
    g.set(0, product(y, dy, false, true));
    g.set(1, product(x, dy, false, false));
  } else {
    g.set(0, product(y, dy, true, true));
    g.set(1, product(dy, x, true, true));
  }
}

}  // namespace rill
