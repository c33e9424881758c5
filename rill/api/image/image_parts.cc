#include "rill/api/image/image_parts.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"

namespace rill::image::parts {
namespace {

constexpr auto kHere = [] { return std::source_location::current(); };

bool are_known(const Extent& a, const Extent& b) { return a.is_known() && b.is_known(); }

}  // namespace

void Checks::at_least_3d(Output x) {
  const PartialShape& shape = x.shape();
  bool is_known = shape.has_rank();
  if (is_known) {
    const int rank = shape.rank();
    require(rank >= 3, "'image' must be at least three-dimensional.");
    for (int i = rank - 3; i < rank; ++i) {
      require(shape[i] != 0, "inner 3 dims of 'image.shape' must be > 0: ", shape_text(shape));
      is_known = is_known && shape[i] > 0;
    }
  }
  if (is_known) return;
  const Output last = rill::parts::range_of(rill::shape(x), -3, {});
  nodes_.push_back(&debugging::assert_positive(
      last, {.data = std::vector<Input>{"inner 3 dims of 'image.shape' must be > 0."}}));
  nodes_.push_back(&debugging::assert_greater_equal(
      rank(x), 3, {.message = "'image' must be at least three-dimensional."}));
}

void Checks::add(Output condition, const std::string& message) {
  nodes_.push_back(&assert_true(condition, {message}));
}

void Checks::at_least(const Extent& a, const Extent& b, const std::string& message) {
  if (are_known(a, b)) return require(a.number() >= b.number(), message);
  add(a.is_known() ? operators::less_equal(b.input(), a.input(), kHere())
                   : operators::greater_equal(a.input(), b.input(), kHere()),
      message);
}

void Checks::greater(const Extent& a, const Extent& b, const std::string& message) {
  if (are_known(a, b)) return require(a.number() > b.number(), message);
  add(a.is_known() ? operators::less(b.input(), a.input(), kHere())
                   : operators::greater(a.input(), b.input(), kHere()),
      message);
}

void Checks::equal(const Extent& a, const Extent& b, const std::string& message) {
  if (are_known(a, b)) return require(a.number() == b.number(), message);
  add(raw::Equal(a.input(), b.input()), message);
}

void Checks::non_negative(Output x, const std::string& message) {
  add(operators::greater_equal(x, 0, kHere()), message);
}

Output Checks::then(Output x) const { return with_dependencies(nodes_, x); }

Output checked_image(Output x) {
  Checks checks;
  checks.at_least_3d(x);
  return checks.then(x);
}

Output ImageBatch::undo(Output x) const { return was_single ? squeeze(x, {.axis = {0}}) : x; }

ImageBatch as_batch(Output x) {
  const PartialShape& shape = x.shape();
  if (shape.rank() == 4) return {x, false};
  require(!shape.has_rank() || shape.rank() == 3, "'image' must have either 3 or 4 dimensions.");
  const bool is_known = shape.has_rank();
  const Output images = expand_dims(x, 0);
  return {is_known ? images : with_shape(images, PartialShape::of_rank(4)), true};
}

Output with_shape(Output x, const PartialShape& shape) {
  x.node->graph().refine_shape(x, shape);
  return x;
}

PartialShape shape_of(const std::vector<Extent>& dims) {
  PartialShape shape = PartialShape::scalar();
  for (const Extent& dim : dims) shape.add_dim(dim.dim());
  return shape;
}

Output by_rank(Output x, const MakeByRank& make) {
  if (x.shape().rank() == 3) return make(0);
  if (x.shape().rank() == 4) return make(1);
  require(!x.shape().has_rank(), "'image' must have either 3 or 4 dimensions.");
  const Output is_single = raw::Equal(rank(x), 3);
  return cond_one(
      is_single, [&] { return make(0); }, [&] { return make(1); });
}

}  // namespace rill::image::parts
