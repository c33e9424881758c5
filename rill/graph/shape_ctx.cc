#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

template <class T>
void append_integers(const Tensor& tensor, std::vector<std::int64_t>* values) {
  for (const T value : tensor.flat<T>()) values->push_back(static_cast<std::int64_t>(value));
}

std::vector<std::int64_t> integers(const Tensor& tensor, std::string_view what) {
  std::vector<std::int64_t> values;
  if (tensor.dtype() == DType::i32) {
    append_integers<std::int32_t>(tensor, &values);
  } else {
    require(tensor.dtype() == DType::i64, what, " must be int32 or int64, is ", tensor.dtype());
    append_integers<std::int64_t>(tensor, &values);
  }
  return values;
}

}  // namespace

PartialShape ShapeCtx::shape_value(int i) const {
  values_used_ |= std::uint64_t{1} << (i & 63);
  shape_values_used_ |= std::uint64_t{1} << (i & 63);
  return shape_value_(i);
}

bool ShapeCtx::int_value(int i, std::int64_t* v) const {
  const Tensor* tensor = value(i);
  if (tensor == nullptr) return false;
  require(tensor->element_count() == 1, "Input must be scalar but has shape ", tensor->shape());
  *v = integers(*tensor, "a scalar input").front();
  return true;
}

bool ShapeCtx::int_values(int i, std::vector<std::int64_t>* v) const {
  const Tensor* tensor = value(i);
  if (tensor == nullptr) return false;
  *v = integers(*tensor, "a vector input");
  return true;
}

bool ShapeCtx::dim_values(int i, std::vector<std::int64_t>* v) const {
  shape_values_used_ |= std::uint64_t{1} << (i & 63);
  return int_values(i, v);
}

PartialShape ShapeCtx::with_rank(int i, int rank) const {
  const PartialShape& shape = input(i);
  if (!shape.has_rank()) return PartialShape::of_rank(rank);
  if (shape.rank() == rank) return shape;
  raise(Code::kInvalidArgument, "Shape must be rank ", rank, " but is rank ", shape.rank());
}

PartialShape ShapeCtx::with_rank_at_least(int i, int rank) const {
  const PartialShape& shape = input(i);
  if (!shape.has_rank() || shape.rank() >= rank) return shape;
  raise(Code::kInvalidArgument, "Shape must be at least rank ", rank, " but is rank ",
        shape.rank());
}

std::pair<std::int64_t, std::int64_t> ShapeCtx::matrix(int i, bool transposed) const {
  const PartialShape shape = with_rank(i, 2);
  return transposed ? std::pair(shape[1], shape[0]) : std::pair(shape[0], shape[1]);
}

void ShapeCtx::set_output_handle(int i, HandleInfo info) const {
  output_handles_.resize(static_cast<std::size_t>(output_count_));
  output_handles_.at(static_cast<std::size_t>(i)) = std::move(info);
}

Shapes same_as_input(const ShapeCtx& c) {
  return Shapes(static_cast<std::size_t>(c.output_count()), c.input(0));
}

PartialShape broadcast_together(const PartialShape& a, const PartialShape& b) {
  for (int i = std::min(a.rank(), b.rank()); i >= 1; --i) {
    const auto x = a[a.rank() - i], y = b[b.rank() - i];
    require(compatible(x, y) || x == 1 || y == 1, when_run("Incompatible shapes: ", a, " vs. ", b),
            when_built("Dimensions must be equal, but are ", x, " and ", y));
  }
  return broadcast(a, b);
}

Shapes broadcast_inputs(const ShapeCtx& c) { return {broadcast_together(c.input(0), c.input(1))}; }

Shapes scalar_output(const ShapeCtx&) { return {PartialShape::scalar()}; }

Shapes no_outputs(const ShapeCtx&) { return {}; }

Shapes unknown_outputs(const ShapeCtx& c) {
  return Shapes(static_cast<std::size_t>(c.output_count()));
}

Shapes merge_inputs(const ShapeCtx& c) {
  PartialShape merged;
  for (int i = c.input_count() - 1; i >= 0; --i) merged = merge_shapes(c.input(i), merged);
  return {merged};
}

PartialShape merge_shapes(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return a.merged(b);
  require(a.rank() == b.rank(), "Shapes must be equal rank, but are ", a.rank(), " and ", b.rank());
  for (int i = 0; i < a.rank(); ++i)
    require(compatible(a[i], b[i]), "Dimension ", i, " in both shapes must be equal, but are ",
            a[i], " and ", b[i], ". Shapes are ", a, " and ", b, ".");
  return a.merged(b);
}

std::string merge_refusal(const PartialShape& a, const PartialShape& b) {
  try {
    (void)merge_shapes(a, b);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

void not_differentiable(GradCtx&) {
  raise(Code::kFailedPrecondition, "the op is marked as not differentiable");
}

void no_gradient(GradCtx&) { raise(Code::kNotFound, "no gradient is defined for the op"); }

}  // namespace rill
