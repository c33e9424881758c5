#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/graph/builders.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// What gradient functions are written with. Nodes get the names that TensorFlow's Python gives
// them: operators those of the operators ("mul", "truediv"), ops those of their types ("Mul").

// Of ops whose gradient is zero where it exists: nothing is set, as in TensorFlow.
inline void zero_grad(GradCtx&) {}

inline Output mul(GradCtx& g, Input x, Input y) { return g.add("Mul", {x, y}, {}, "mul"); }
inline Output add(GradCtx& g, Input x, Input y) { return g.add("AddV2", {x, y}, {}, "add"); }
inline Output sub(GradCtx& g, Input x, Input y) { return g.add("Sub", {x, y}, {}, "sub"); }
// A number before a tensor takes the tensor's type.
inline Output add(GradCtx& g, double x, Output y) {
  return g.add("AddV2", {x, y}, {{"T", base_type(y.dtype())}}, "add");
}
inline Output sub(GradCtx& g, double x, Output y) {
  return g.add("Sub", {x, y}, {{"T", base_type(y.dtype())}}, "sub");
}
inline Output truediv(GradCtx& g, Input x, Input y) {
  return g.add("RealDiv", {x, y}, {}, "truediv");
}
inline Output floordiv(GradCtx& g, Input x, Input y) {
  return g.add("FloorDiv", {x, y}, {}, "floordiv");
}
inline Output floormod(GradCtx& g, Input x, Input y) {
  return g.add("FloorMod", {x, y}, {}, "mod");
}
inline Output div_no_nan(GradCtx& g, Input x, Input y) {
  return g.add("DivNoNan", {x, y}, {}, "div_no_nan");
}
inline Output neg(GradCtx& g, Input x) { return g.add("Neg", {x}); }
inline Output square(GradCtx& g, Input x) { return g.add("Square", {x}); }
inline Output reciprocal(GradCtx& g, Input x) { return g.add("Reciprocal", {x}); }
inline Output reshape(GradCtx& g, Input x, Input shape) { return g.add("Reshape", {x, shape}); }
inline Output transpose(GradCtx& g, Input x, Input perm) {
  return g.add("Transpose", {x, perm}, {}, "transpose");
}
inline Output gather(GradCtx& g, Input params, Input indices) {
  return g.add("GatherV2", {params, indices, 0});
}
inline Output range(GradCtx& g, Input start, Input limit, Input delta) {
  return g.add("Range", {start, limit, delta}, {}, "range");
}
inline Output expand_dims(GradCtx& g, Input x, int axis) { return g.add("ExpandDims", {x, axis}); }
inline Output shape_of(GradCtx& g, Output x, DType type = DType::i32) {
  return shape_of(g.scope(), x, "Shape", type);
}
inline Output zeros_like(GradCtx& g, Output x) { return zeros_like(g.scope(), x); }
inline Output cast(GradCtx& g, Output x, DType type) { return cast(g.scope(), x, type); }

Output conj(GradCtx& g, Output x);  // x itself where it is real
// A constant of a number or a list of integers.
Output number(GradCtx& g, double value, DType type, std::string_view name = "Const");
Tensor int_vector(std::span<const std::int64_t> values);
// tf.size and tf.rank: constants where they are known.
Output size_of(GradCtx& g, Output x);
Output rank_of(GradCtx& g, Output x);
// The product of all elements of a vector.
Output prod_of_vector(GradCtx& g, Output x);
// x[start:stop] of a vector, or x[start] when `stop` is start + 1 and `drop` is set; a start or
// stop that is missing takes everything.
Output slice_vector(GradCtx& g, Output x, std::optional<int> start, std::optional<int> stop,
                    bool drop = false);
// [rank, 1]: the shape of a vector of that length as a column.
Output column_shape(GradCtx& g, Output rank);
Output concat(GradCtx& g, std::vector<Input> parts, Input axis = 0);
// tf.ones_like, as filling the shape.
Output ones_like(GradCtx& g, Output x);
bool same_full_shapes(Output x, Output y, Output z);

// The shape that reducing `shape` along `axes` leaves, with ones where it was reduced.
Input reduced_shape(GradCtx& g, Output shape, Output axes);
// x // max(y, 1): how often a reduced dimension is repeated.
Output repeats(GradCtx& g, Output x, Input y);

// Undoes broadcasting: sums a gradient over the dimensions that were repeated, and gives it back
// its shape.
//
//   void mul_grad(GradCtx& g) {
//     Broadcast broadcast(g, g.input(0), g.input(1));
//     g.set(0, broadcast.to_x(mul(g, g.dy(), g.input(1))));
//     g.set(1, broadcast.to_y(mul(g, g.input(0), g.dy())));
//   }
class Broadcast {
 public:
  Broadcast(GradCtx& g, Output x, Output y);
  Output to_x(Output gradient) { return sum_to(gradient, axes_x_, shape_x_); }
  Output to_y(Output gradient) { return sum_to(gradient, axes_y_, shape_y_); }

 private:
  Output sum_to(Output gradient, Output axes, Output shape);
  GradCtx& g_;
  Output shape_x_, shape_y_, axes_x_, axes_y_;
};

}  // namespace rill
