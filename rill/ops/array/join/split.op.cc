#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {

namespace {

std::string split_refusal(std::int64_t total, const std::vector<std::int64_t>& sizes) {
  std::vector<std::string> texts;
  for (const std::int64_t size : sizes) texts.push_back(std::to_string(size));
  return str_cat("can't split axis of size ", total, " into pieces of size [", join(texts, ","),
                 "]");
}

// The sizes of the parts of a dimension of `total` (-1: not known yet), with a single -1 filled in.
std::vector<std::int64_t> complete_split_sizes(std::vector<std::int64_t> sizes,
                                               std::int64_t total) {
  int free = -1;
  std::int64_t known = 0;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    const std::int64_t size = sizes[static_cast<std::size_t>(i)];
    if (size == -1) {
      require(free < 0, "There can only be one -1 in the input.");
      free = i;
      continue;
    }
    if (size < 0)
      require(false, when_run("Split size at index ", i, " must be >= 0. Got: ", size),
              when_built(split_refusal(total, sizes)));
    require(!__builtin_add_overflow(known, size, &known), "the split sizes are too large");
  }
  if (total < 0) return sizes;
  if (free < 0 ? known != total : known > total)
    require(false,
            when_run("Determined shape must either match input shape along split_dim exactly if ",
                     "fully specified, or be less than the size of the input along split_dim if ",
                     "not fully specified.  Got: ", known),
            when_built(split_refusal(total, sizes)));
  if (free >= 0) sizes[static_cast<std::size_t>(free)] = total - known;
  return sizes;
}

// The dimension that input `axis_input` names in `shape`; -1 when it is not known yet.
int split_axis(const ShapeCtx& c, int axis_input, const PartialShape& shape) {
  const PartialShape& axis_shape = c.input(axis_input);
  require(!axis_shape.has_rank() || axis_shape.rank() == 0,
          when_run("split_dim must be a scalar but has rank ", axis_shape.rank()),
          when_built("Input must be scalar but has rank ", axis_shape.rank()));
  std::int64_t axis = 0;
  if (!shape.has_rank() || !c.int_value(axis_input, &axis)) return -1;
  const int rank = shape.rank();
  require(
      axis >= -rank && axis < rank,
      when_run("-input rank(-", rank, ") <= split_dim < input rank (", rank, "), but got ", axis),
      when_built("Dimension size, given by scalar input ", axis, " must be in range [", -rank, ", ",
                 rank, ")"));
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Shapes unknown_parts(const PartialShape& whole, int count) {
  return Shapes(static_cast<std::size_t>(count),
                whole.has_rank() ? PartialShape::of_rank(whole.rank()) : PartialShape());
}

Shapes split_shape(const ShapeCtx& c) {
  const PartialShape& whole = c.input(1);
  const int axis = split_axis(c, 0, whole);
  if (axis < 0) return unknown_parts(whole, c.output_count());
  const std::int64_t size = whole.dim(axis), count = c.output_count();
  require(size < 0 || size % count == 0,
          when_run("Number of ways to split should evenly divide the split dimension, but got ",
                   "split_dim ", axis, " (size = ", size, ") and num_split ", count),
          when_built("Dimension size must be evenly divisible by ", count, " but is ", size,
                     "\n\tNumber of ways to split should evenly divide the split dimension"));
  return Shapes(static_cast<std::size_t>(count),
                whole.with_dim(axis, size < 0 ? kUnknownDim : size / count));
}

Shapes split_v_shape(const ShapeCtx& c) {
  const PartialShape& whole = c.input(0);
  const PartialShape& list = c.input(1);
  require(
      !list.has_rank() || (list.rank() == 1 && compatible(list.dim(0), c.output_count())),
      when_run("size of the split_tensor must be 1-D and have the same elements as outputs got ",
               list.rank(), " -D and ", list.element_count(), " elements"),
      when_built("Length of size_splits should be equal to num_outputs"));
  const int axis = split_axis(c, 2, whole);
  if (axis < 0) return unknown_parts(whole, c.output_count());
  std::vector<std::int64_t> sizes;
  if (!c.int_values(1, &sizes))
    return Shapes(static_cast<std::size_t>(c.output_count()), whole.with_dim(axis, kUnknownDim));
  Shapes shapes;
  for (const std::int64_t size : complete_split_sizes(std::move(sizes), whole.dim(axis)))
    shapes.push_back(whole.with_dim(axis, size));
  return shapes;
}

Shapes unpack_shape(const ShapeCtx& c) {
  const PartialShape& whole = c.input(0);
  const auto count = static_cast<std::size_t>(c.output_count());
  if (!whole.has_rank()) return Shapes(count);
  const int rank = whole.rank();
  const auto axis = c.attr<std::int64_t>("axis");
  require(axis >= -rank && axis < rank, "axis = ", axis, " not in [", -rank, ", ", rank, ")");
  const auto at = static_cast<int>(axis < 0 ? axis + rank : axis);
  require(compatible(whole.dim(at), c.output_count()), "Input shape axis ", at, " must equal ",
          count, ", got shape ", whole);
  return Shapes(count, replace_dims(whole, at, 1, kNoDim));
}

std::vector<Input> all_gradients(GradCtx& g) {
  std::vector<Input> parts;
  for (int i = 0; i < g.node().output_count(); ++i) parts.emplace_back(g.dy(i));
  return parts;
}

void joined(GradCtx& g, int value, Output axis) {
  std::vector<Input> parts = all_gradients(g);
  g.set(value, parts.size() == 1 ? g.dy() : concat(g, std::move(parts), axis));
}

void split_grad(GradCtx& g) { joined(g, 1, g.input(0)); }
void split_v_grad(GradCtx& g) { joined(g, 0, g.input(2)); }

void unpack_grad(GradCtx& g) {
  g.set(0, g.add("Pack", {all_gradients(g)}, {{"axis", g.attr<std::int64_t>("axis")}}, "stack"));
}

}  // namespace

extern constexpr OpDecl kSplit{
    .name = "Split",
    .doc = "Cuts a tensor into equal parts along one dimension.",
    .inputs = {"split_dim: int32", "value: T"},
    .outputs = {"output: num_split * T"},
    .attrs = {"num_split: int >= 1", "T: type"},
    .traits = kPure,
    .shape = split_shape,
    .cost = no_flops,
    .grad = split_grad,
};
static_assert(well_formed(kSplit));

extern constexpr OpDecl kSplitV{
    .name = "SplitV",
    .doc = "Cuts a tensor into parts of given sizes; one size may be -1, which takes what is left.",
    .inputs = {"value: T", "size_splits: Tlen", "split_dim: int32"},
    .outputs = {"output: num_split * T"},
    .attrs = {"num_split: int >= 1", "T: type", "Tlen: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = split_v_shape,
    .cost = no_flops,
    .grad = split_v_grad,
};
static_assert(well_formed(kSplitV));

extern constexpr OpDecl kUnpack{
    .name = "Unpack",
    .doc = "Cuts a tensor into its `num` slices along one dimension, which goes away.",
    .inputs = {"value: T"},
    .outputs = {"output: num * T"},
    .attrs = {"num: int >= 0", "T: type", "axis: int = 0"},
    .traits = kPure,
    .shape = unpack_shape,
    .cost = no_flops,
    .grad = unpack_grad,
};
static_assert(well_formed(kUnpack));

}  // namespace rill
