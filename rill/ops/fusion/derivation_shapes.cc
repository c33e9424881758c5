// What the integers beside a gradient say: whose shape a vector is, how often rows are repeated.
#include <algorithm>

#include "rill/ops/fusion/derivation.h"

namespace rill {
namespace {

std::vector<std::int64_t> ints_of(const Tensor& values) {
  std::vector<std::int64_t> ints;
  for (std::int64_t i = 0; i < values.element_count(); ++i)
    ints.push_back(values.dtype() == DType::i32 ? values.data<std::int32_t>()[i]
                                                : values.data<std::int64_t>()[i]);
  return ints;
}

}  // namespace

bool Derivation::is_ints(Edge edge, std::span<const std::int64_t> wanted) const {
  const auto& constant = p_.item(edge.item).constant;
  if (!constant || constant->rank() > 1 ||
      (constant->dtype() != DType::i32 && constant->dtype() != DType::i64))
    return false;
  return std::ranges::equal(ints_of(*constant), wanted);
}

std::optional<Extent> Derivation::shape_of(Edge edge) const {
  if (p_.is(edge.item, "Shape")) {
    const Value* value = find(p_.input(edge.item, 0));
    if (value == nullptr || value->flat || value->extent == Extent::kColumnSum) return std::nullopt;
    return value->extent;
  }
  if (p_.is(edge.item, "DynamicStitch"))
    return is_kept_shape(edge.item) ? std::optional(Extent::kRow) : std::nullopt;
  if (rank() < 1) return std::nullopt;
  if (is_ints(edge, {{full_.dim(static_cast<int>(rank()) - 1)}}) && rank() > 1)
    return Extent::kColumn;
  if (!full_.is_full()) return std::nullopt;
  std::vector<std::int64_t> dims(full_.dims().begin(), full_.dims().end());
  if (is_ints(edge, dims)) return Extent::kFull;
  dims.back() = 1;
  return is_ints(edge, dims) ? std::optional(Extent::kRow) : std::nullopt;
}

bool Derivation::is_rank(Edge edge) const {
  if (is_ints(edge, {{rank()}})) return true;
  if (p_.is(edge.item, "Size")) return shape_of(p_.input(edge.item, 0)) == Extent::kFull;
  return p_.is(edge.item, "Rank") && find(p_.input(edge.item, 0)) != nullptr &&
         find(p_.input(edge.item, 0))->extent == Extent::kFull;
}

// The last one, or what becomes it modulo the rank.
bool Derivation::is_last_axis(Edge edge) const {
  if (is_ints(edge, {{-1}}) || is_ints(edge, {{rank() - 1}})) return true;
  if (!p_.is(edge.item, "FloorMod") || !is_rank(p_.input(edge.item, 1))) return false;
  const Edge sum = p_.input(edge.item, 0);
  if (!p_.is(sum.item, {"Add", "AddV2"})) return false;
  for (int i = 0; i < 2; ++i)
    if (is_rank(p_.input(sum.item, i)) && is_last_axis(p_.input(sum.item, 1 - i))) return true;
  return false;
}

// The whole shape with a one in place of the last dimension.
bool Derivation::is_kept_shape(int stitch) const {
  if (p_.item(stitch).inputs.size() != 4 || rank() < 1) return false;
  const Edge all = p_.input(stitch, 0), ones = p_.input(stitch, 3);
  std::vector<std::int64_t> counted;
  for (std::int64_t d = 0; d < rank(); ++d) counted.push_back(d);
  const bool is_all = is_ints(all, counted) ||
                      (p_.is(all.item, "Range") && is_ints(p_.input(all.item, 0), {{0}}) &&
                       is_rank(p_.input(all.item, 1)) && is_ints(p_.input(all.item, 2), {{1}}));
  const bool is_one =
      is_ints(ones, {{1}}) || (p_.is(ones.item, "Fill") && is_ints(p_.input(ones.item, 1), {{1}}));
  return is_all && is_one && is_last_axis(p_.input(stitch, 1)) &&
         shape_of(p_.input(stitch, 2)) == Extent::kFull;
}

// whole / max(part, 1).
bool Derivation::is_quotient(Edge edge, FunctionRef<bool(Edge)> is_whole,
                             FunctionRef<bool(Edge)> is_part) const {
  if (!p_.is(edge.item, "FloorDiv") || !is_whole(p_.input(edge.item, 0))) return false;
  const Edge most = p_.input(edge.item, 1);
  if (!p_.is(most.item, "Maximum")) return is_part(most);
  for (int i = 0; i < 2; ++i)
    if (is_part(p_.input(most.item, i)) && is_ints(p_.input(most.item, 1 - i), {{1}})) return true;
  return false;
}

// How often a row's number is repeated in each dimension to give the whole shape.
bool Derivation::is_repeats(Edge edge) const {
  if (rank() >= 1) {
    std::vector<std::int64_t> repeats(static_cast<std::size_t>(rank()), 1);
    repeats.back() = full_.dim(static_cast<int>(rank()) - 1);
    if (is_ints(edge, repeats)) return true;
  }
  return is_quotient(
      edge, [&](Edge e) { return shape_of(e) == Extent::kFull; },
      [&](Edge e) { return shape_of(e) == Extent::kRow; });
}

// The number of elements of a row, as it is counted.
bool Derivation::is_width(Edge edge) const {
  if (rows_.width <= 0 || !p_.is(edge.item, "Cast")) return false;
  const auto counts = [&](Edge e, Extent extent) {
    return p_.is(e.item, "Prod") && is_ints(p_.input(e.item, 1), {{0}}) &&
           shape_of(p_.input(e.item, 0)) == extent;
  };
  return is_quotient(
      p_.input(edge.item, 0), [&](Edge e) { return counts(e, Extent::kFull); },
      [&](Edge e) { return counts(e, Extent::kRow); });
}

}  // namespace rill
