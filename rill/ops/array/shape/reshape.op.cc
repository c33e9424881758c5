#include "rill/ops/array/shape/reshape.h"

#include <algorithm>
#include <vector>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

namespace {

// What the free one of `sizes` must be. Where a zero is among the others, no size would be wrong;
// the zeros of both sides are then left out, so that [0,3] under [0,-1] stays [0,3].
std::int64_t free_size(const Shape& input, const Dims& sizes, int free) {
  const bool zero_given = std::ranges::count(sizes.span(), 0) > 0;
  std::int64_t known = 1, count = 1;
  bool zero_dropped = false;
  for (int i = 0; i < sizes.size(); ++i)
    if (i != free && sizes[i] != 0)
      require(!__builtin_mul_overflow(known, sizes[i], &known), "the sizes are too large");
  for (const std::int64_t dim : input.dims()) {
    const bool dropped = dim == 0 && zero_given;
    zero_dropped |= dropped;
    if (!dropped) require(!__builtin_mul_overflow(count, dim, &count), "the input is too large");
  }
  require(zero_dropped || count % known == 0, "Input to reshape is a tensor with ", count,
          " values, but the requested shape requires a multiple of ", known);
  return count / known;
}

}  // namespace

Shape reshaped_shape(const Shape& input, std::span<const std::int64_t> sizes) {
  Dims dims(sizes);
  int free = -1;
  for (int i = 0; i < dims.size(); ++i) {
    if (dims[i] == -1) {
      require(free < 0, "Only one input size may be -1, not both ", free, " and ", i);
      free = i;
    } else {
      require(dims[i] >= 0, "Size ", i, " must be non-negative, not ", dims[i]);
    }
  }
  if (free >= 0) dims[free] = free_size(input, dims, free);
  Shape shape(dims.span());
  require(shape.element_count() == input.element_count(), "Input to reshape is a tensor with ",
          input.element_count(), " values, but the requested shape has ", shape.element_count());
  return shape;
}

PartialShape expanded_shape(const PartialShape& input, std::int64_t axis) {
  if (!input.has_rank()) return {};
  const int rank = input.rank();
  require(axis >= -(rank + 1) && axis <= rank,
          when_run("Tried to expand dim index ", axis, " for tensor with ", rank, " dimensions."),
          when_built("dim ", axis, " not in the interval [", -(rank + 1), ", ", rank, "]."));
  if (axis < 0) axis += rank + 1;
  PartialShape shape = PartialShape::scalar();
  for (int i = 0; i < rank; ++i) {
    if (i == axis) shape.add_dim(1);
    shape.add_dim(input.dim(i));
  }
  if (axis == rank) shape.add_dim(1);
  return shape;
}

PartialShape squeezed_shape(const PartialShape& input, std::span<const std::int64_t> axes) {
  if (!input.has_rank()) return {};
  const int rank = input.rank();
  std::vector<bool> drop(static_cast<std::size_t>(rank), false);
  for (const std::int64_t axis : axes) {
    require(axis >= -rank && axis < rank, "Tried to squeeze dim index ", axis, " for tensor with ",
            rank, " dimensions.");
    const auto i = static_cast<int>(axis < 0 ? axis + rank : axis);
    require(input.dim(i) == 1 || input.dim(i) < 0, "Can not squeeze dim[", i,
            "], expected a dimension of 1, got ", input.dim(i));
    drop[static_cast<std::size_t>(i)] = true;
  }
  PartialShape shape = PartialShape::scalar();
  for (int i = 0; i < rank; ++i) {
    if (axes.empty() && input.dim(i) < 0) return {};  // it may be 1 or not
    const bool dropped = axes.empty() ? input.dim(i) == 1 : drop[static_cast<std::size_t>(i)];
    if (!dropped) shape.add_dim(input.dim(i));
  }
  return shape;
}

PartialShape bitcast_shape(const PartialShape& input, DType from, DType to) {
  const auto from_size = static_cast<std::int64_t>(element_size(from));
  const auto to_size = static_cast<std::int64_t>(element_size(to));
  if (!input.has_rank() || from_size == to_size) return input;
  if (from_size > to_size) return input.with_dim(input.rank(), from_size / to_size);
  const int last = input.rank() - 1;
  require(last >= 0 && compatible(input.dim(last), to_size / from_size), "Cannot bitcast from ",
          from, " to ", to, " due to shape. ", input, " does not end in ", to_size / from_size);
  return PartialShape(input.dims().first(static_cast<std::size_t>(last)));
}

namespace {

// Fills in the one unknown dimension of `wanted` when the input's element count is known.
PartialShape complete(PartialShape wanted, std::int64_t count) {
  int free = -1;
  std::int64_t known = 1;
  for (int i = 0; i < wanted.rank(); ++i) {
    if (wanted.dim(i) < 0) {
      if (free >= 0) return wanted;
      free = i;
    } else if (__builtin_mul_overflow(known, wanted.dim(i), &known)) {
      raise(Code::kInvalidArgument, "Shape ", wanted, " would have too many elements");
    }
  }
  if (free < 0) {
    require(known == count, "Cannot reshape a tensor with ", count, " elements to shape ", wanted,
            " (", known, " elements)");
    return wanted;
  }
  if (known == 0) return wanted;
  require(count % known == 0, "Dimension size must be evenly divisible by ", known, " but is ",
          count);
  return wanted.with_dim(free, count / known);
}

// Refuses sizes that no value of the input's one unknown dimension leads to.
void check_divisible(const PartialShape& input, const PartialShape& wanted) {
  const auto unknown = std::ranges::count_if(input.dims(), [](std::int64_t d) { return d < 0; });
  if (unknown != 1 || !wanted.is_full()) return;
  std::int64_t known = 1;
  for (const std::int64_t d : input.dims())
    if (d >= 0 && __builtin_mul_overflow(known, d, &known)) return;
  const std::int64_t count = wanted.element_count();
  require(known == 0 || count % known == 0, "Dimension size must be evenly divisible by ", known,
          " but is ", count);
}

Shapes reshape_shape(const ShapeCtx& c) {
  const PartialShape sizes = c.vector(1);
  const PartialShape wanted = c.shape_value(1);
  if (!wanted.has_rank())
    return {sizes.dim(0) < 0 ? PartialShape()
                             : PartialShape::of_rank(static_cast<int>(
                                   std::min<std::int64_t>(sizes.dim(0), kMaxRank)))};
  if (c.input(0).has_rank()) check_divisible(c.input(0), wanted);
  return {c.input(0).is_full() ? complete(wanted, c.input(0).element_count()) : wanted};
}

Shapes quantized_reshape_shape(const ShapeCtx& c) {
  (void)c.scalar(2);
  (void)c.scalar(3);
  return {reshape_shape(c)[0], PartialShape::scalar(), PartialShape::scalar()};
}

Shapes expand_dims_shape(const ShapeCtx& c) {
  const std::int64_t axis_count = c.input(1).element_count();
  require(axis_count < 0 || axis_count == 1, "'dim' input must be a tensor with a single value");
  std::vector<std::int64_t> axis;
  std::int64_t scalar = 0;
  if (c.input(1).rank() == 0 ? c.int_value(1, &scalar) : c.int_values(1, &axis))
    return {expanded_shape(c.input(0), axis.empty() ? scalar : axis[0])};
  if (!c.input(0).has_rank() || c.input(1).rank() != 0) return {PartialShape()};
  return {PartialShape::of_rank(c.input(0).rank() + 1)};
}

Shapes squeeze_shape(const ShapeCtx& c) {
  return {squeezed_shape(c.input(0), c.attr<std::vector<std::int64_t>>("squeeze_dims"))};
}

Shapes bitcast_output_shape(const ShapeCtx& c) {
  return {bitcast_shape(c.input(0), c.attr<DType>("T"), c.attr<DType>("type"))};
}

Shapes ensured_shape(const ShapeCtx& c) {
  const PartialShape& wanted = c.attr<PartialShape>("shape");
  const PartialShape& given = c.input(0);
  if (given.is_compatible(wanted)) return {wanted.merged(given)};
  require(wanted.rank() == given.rank(),
          when_run("Shape of tensor ", given, " is not compatible with expected shape ", wanted),
          when_built("Shape must be rank ", wanted.rank(), " but is rank ", given.rank()));
  return {merge_shapes(wanted, given)};
}

void reshape_grad(GradCtx& g) {
  const Output dy = g.dy();
  g.set(0, reshape(g, dy, shape_of(g, g.input(0))));
}

void ensure_shape_grad(GradCtx& g) { g.set(0, g.dy()); }

}  // namespace

extern constexpr OpDecl kReshape{
    .name = "Reshape",
    .doc = "The same elements under another shape; one size may be -1, which takes what is left.",
    .inputs = {"tensor: T", "shape: Tshape"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tshape: {int32, int64} = DT_INT32"},
    .traits = kPure | kForwards,
    .shape = reshape_shape,
    .grad = reshape_grad,
};
static_assert(well_formed(kReshape));

extern constexpr OpDecl kQuantizedReshape{
    .name = "QuantizedReshape",
    .doc = "Reshape of quantised numbers, which keep their range.",
    .inputs = {"tensor: T", "shape: Tshape", "input_min: float", "input_max: float"},
    .outputs = {"output: T", "output_min: float", "output_max: float"},
    .attrs = {"T: type", "Tshape: {int32, int64} = DT_INT32"},
    .traits = kPure | kForwards,
    .shape = quantized_reshape_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kQuantizedReshape));

extern constexpr OpDecl kExpandDims{
    .name = "ExpandDims",
    .doc = "Inserts a dimension of 1 before dimension `dim`.",
    .inputs = {"input: T", "dim: Tdim"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tdim: {int32, int64} = DT_INT32"},
    .traits = kPure | kForwards,
    .shape = expand_dims_shape,
    .grad = reshape_grad,
};
static_assert(well_formed(kExpandDims));

extern constexpr OpDecl kSqueeze{
    .name = "Squeeze",
    .doc = "Removes dimensions of 1: those named, or all.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "squeeze_dims: list(int) >= 0 = []"},
    .traits = kPure | kForwards,
    .shape = squeeze_shape,
    .grad = reshape_grad,
};
static_assert(well_formed(kSqueeze));

extern constexpr OpDecl kBitcast{
    .name = "Bitcast",
    .doc = "The same bytes seen as another type.",
    .inputs = {"input: T"},
    .outputs = {"output: type"},
    .attrs = {"T: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, "
              "int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
              "type: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, "
              "int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}"},
    .traits = kPure | kForwards,
    .shape = bitcast_output_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBitcast));

extern constexpr OpDecl kEnsureShape{
    .name = "EnsureShape",
    .doc = "Its input, which must have a shape that `shape` describes.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"shape: shape", "T: type"},
    .traits = kPure | kForwards,
    .shape = ensured_shape,
    .grad = ensure_shape_grad,
};
static_assert(well_formed(kEnsureShape));

}  // namespace rill
