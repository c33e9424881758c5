#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/run_time_error.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

// Each of 0..rank-1 must stand in `perm` once; negative entries count from the end.
PartialShape permuted(const PartialShape& input, const std::vector<std::int64_t>& perm) {
  const auto rank = static_cast<std::int64_t>(perm.size());
  std::vector<bool> seen(perm.size(), false);
  PartialShape out = PartialShape::scalar();
  for (std::int64_t axis : perm) {
    require(axis >= -rank && axis < rank, when_run(axis, " is out of range [0 .. ", rank, ")"),
            when_built("perm dim ", axis, " is out of range of input rank ", rank));
    if (axis < 0) axis += rank;
    seen[static_cast<std::size_t>(axis)] = true;
    out.add_dim(input.has_rank() ? input.dim(static_cast<int>(axis)) : kUnknownDim);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    std::vector<std::string> entries;
    for (const std::int64_t axis : perm) entries.push_back(std::to_string(axis));
    require_when_run(false, {out}, i, " is missing from {", join(entries, ","), "}.");
  }
  return out;
}

Shapes transpose_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  const PartialShape& perm = c.input(1);
  require(!perm.has_rank() || perm.rank() == 1, when_run("perm must be rank 1, got shape ", perm),
          when_built("Shape must be rank 1 but is rank ", perm.rank()));
  const std::int64_t length = perm.has_rank() ? perm.dim(0) : kUnknownDim;
  require(!input.has_rank() || compatible(length, input.rank()),
          when_run("transpose expects a vector of size ", input.rank(),
                   ". But input(1) is a vector of size ", length),
          when_built("Dimension must be ", input.rank(), " but is ", length));
  std::vector<std::int64_t> values;
  if (c.int_values(1, &values)) return {permuted(input, values)};
  const std::int64_t rank = merge_dim(input.rank(), length);
  if (rank < 0 || rank > kMaxRank) return {PartialShape()};
  return {PartialShape::of_rank(static_cast<int>(rank))};
}

void transpose_grad(GradCtx& g) {
  const Output back = g.add("InvertPermutation", {g.input(1)});
  g.set(0, transpose(g, g.dy(), back));
}

void conjugate_transpose_grad(GradCtx& g) {
  const Output back = g.add("InvertPermutation", {g.input(1)});
  const bool is_complex = kComplexTypes.contains(base_type(g.dy().dtype()));
  g.set(0, g.add(is_complex ? "ConjugateTranspose" : "Transpose", {g.dy(), back}, {}, "transpose"));
}

}  // namespace

extern constexpr OpDecl kTranspose{
    .name = "Transpose",
    .doc = "Dimension i of the result is dimension perm[i] of `x`.",
    .inputs = {"x: T", "perm: Tperm"},
    .outputs = {"y: T"},
    .attrs = {"T: type", "Tperm: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = transpose_shape,
    .cost = no_flops,
    .grad = transpose_grad,
};
static_assert(well_formed(kTranspose));

extern constexpr OpDecl kConjugateTranspose{
    .name = "ConjugateTranspose",
    .doc = "Transpose of the complex conjugate.",
    .inputs = {"x: T", "perm: Tperm"},
    .outputs = {"y: T"},
    .attrs = {"T: type", "Tperm: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = transpose_shape,
    .grad = conjugate_transpose_grad,
};
static_assert(well_formed(kConjugateTranspose));

extern constexpr OpDecl kInvertPermutation{
    .name = "InvertPermutation",
    .doc = "The permutation that undoes `x`: y[x[i]] = i.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = [](const ShapeCtx& c) -> Shapes { return {c.vector(0)}; },
    .grad = not_differentiable,
};
static_assert(well_formed(kInvertPermutation));

}  // namespace rill
