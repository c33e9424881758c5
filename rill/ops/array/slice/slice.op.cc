#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

std::int64_t sliced_dim(int d, std::int64_t dim, const std::int64_t* begin,
                        const std::int64_t* size) {
  if (begin != nullptr) {
    require(*begin >= -1, when_run("Expected begin[", d, "] in [0, ", dim, "], but got ", *begin),
            when_built_alone("Invalid value in tensor used for shape: ", *begin));
    require(*begin >= 0 && (dim < 0 || *begin <= dim), "Expected begin[", d, "] in [0, ", dim,
            "], but got ", *begin);
  }
  if (size == nullptr) return kUnknownDim;
  const bool room_known = begin != nullptr && dim >= 0;
  if (*size == -1) return room_known ? dim - *begin : kUnknownDim;
  const std::int64_t room = room_known ? dim - *begin : dim;
  require(*size >= -1, when_run("Expected size[", d, "] in [0, ", room, "], but got ", *size),
          when_built_alone("Invalid value in tensor used for shape: ", *size));
  require(*size >= 0 && (room < 0 || *size <= room), "Expected size[", d, "] in [0, ", room,
          "], but got ", *size);
  return *size;
}

// Why the lists do not go with each other or with the input.
std::string list_refusal(const ShapeCtx& c) {
  const PartialShape &begins = c.input(1), &sizes = c.input(2);
  for (const PartialShape& list : {begins, sizes})
    if (list.has_rank() && list.rank() != 1)
      return str_cat("Shape must be rank 1 but is rank ", list.rank());
  if (!begins.is_compatible(sizes)) return merge_refusal(begins, sizes);
  return str_cat("Shape must be rank ", begins.merged(sizes).dim(0), " but is rank ",
                 c.input(0).rank());
}

Shapes slice_shape(const ShapeCtx& c) {
  const PartialShape &begins = c.input(1), &sizes = c.input(2);
  std::int64_t rank = c.input(0).rank();
  for (const PartialShape& list : {begins, sizes}) {
    if (!list.has_rank()) continue;
    if (rank < 0 && list.rank() == 1) rank = list.dim(0);
    if (list.rank() == 1 && (rank < 0 || compatible(list.dim(0), rank))) continue;
    require(false,
            when_run("Expected begin and size arguments to be 1-D tensors of size ", rank,
                     ", but got shapes ", begins, " and ", sizes, " instead."),
            when_built(list_refusal(c)));
  }
  if (rank < 0) return {PartialShape()};
  require(rank <= kMaxRank, "a slice of ", rank, " dimensions is too long");
  std::vector<std::int64_t> begin, size;
  const bool begin_known = c.dim_values(1, &begin), size_known = c.dim_values(2, &size);
  const PartialShape begin_shape = begin_known ? PartialShape() : c.shape_value(1);
  const PartialShape size_shape = size_known ? PartialShape() : c.shape_value(2);
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const std::int64_t dim = c.input(0).has_rank() ? c.input(0).dim(d) : kUnknownDim;
    const std::int64_t first = begin_known              ? begin[i]
                               : begin_shape.has_rank() ? begin_shape.dim(d)
                                                        : kUnknownDim;
    const std::int64_t known = sliced_dim(d, dim, begin_known || first >= 0 ? &first : nullptr,
                                          size_known ? &size[i] : nullptr);
    out.add_dim(known < 0 && size_shape.has_rank() ? size_shape.dim(d) : known);
  }
  return {out};
}

void slice_grad(GradCtx& g) {
  const Output x = g.input(0), begin = g.input(1);
  const DType index = base_type(begin.dtype());
  const Output rank = rank_of(g, x);
  const Output size = shape_of(g, g.output(), index);
  const Output column = column_shape(g, rank);
  const Output before = reshape(g, begin, column);
  const Output whole = shape_of(g, x, index);
  const Output after = reshape(g, sub(g, sub(g, whole, size), begin), column);
  g.set(0, g.add("Pad", {g.dy(), concat(g, {before, after}, 1)}));
}

}  // namespace

extern constexpr OpDecl kSlice{
    .name = "Slice",
    .doc = "A box cut out of a tensor; a size of -1 reaches to the end.",
    .inputs = {"input: T", "begin: Index", "size: Index"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Index: {int32, int64}"},
    .traits = kPure | kPicks,
    .shape = slice_shape,
    .cost = no_flops,
    .grad = slice_grad,
};
static_assert(well_formed(kSlice));

}  // namespace rill
