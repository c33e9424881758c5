#include "rill/api/ragged/elementwise.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using parts::ragged_in;

bool is_ragged(const RaggedOrDense& x) { return ragged_in(x) != nullptr; }

FlatArguments flat_of(const std::vector<RaggedOrDense>& all, const std::vector<Node*>& checks) {
  FlatArguments result;
  for (const RaggedOrDense& x : all) {
    const RaggedTensor* own = ragged_in(x);
    result.flat.push_back(own != nullptr ? own->flat_values : std::get<Output>(x));
    if (own == nullptr || !result.nested_row_splits.empty()) continue;
    result.nested_row_splits = own->nested_row_splits;
    if (!checks.empty()) result.flat.back() = parts::after_nodes(checks, own->flat_values);
  }
  return result;
}

RaggedOrDense with_rank(const RaggedOrDense& x, int rank, DType type) {
  const int missing = rank - parts::known_rank(x);
  RaggedOrDense result = x;
  for (int i = 0; i < missing; ++i) {
    if (!is_ragged(result)) {
      result = raw::ExpandDims(std::get<Output>(result), 0);
      continue;
    }
    const Output count = parts::row_count(result, type);
    result = parts::under(as_tensor(parts::list_of({parts::number(0, type), count})), result);
  }
  return result;
}

// --- broadcasting two arguments ------------------------------------------------------------------

struct Broadcast {
  DType type;  // of row splits
  std::vector<Node*> checks;

  void check(const Output& holds, const Output& x, const Output& y) {
    checks.push_back(&assert_true(raw::All(holds, parts::all_dimensions(holds)),
                                  {"Unable to broadcast: dimension size mismatch in dimension of "
                                   "ragged tensors",
                                   x, y}));
  }

  // Both with the same number of rows: a single one is repeated.
  void match_count(RaggedOrDense& x, RaggedOrDense& y) {
    const std::int64_t known_x = parts::shape_of(x)[0], known_y = parts::shape_of(y)[0];
    if (known_x == known_y && known_x >= 0) return;
    const Output nx = parts::row_count(x, type), ny = parts::row_count(y, type);
    const Output one = parts::number(1, type);
    const Output rows = raw::Select(raw::Equal(nx, one), ny, nx);
    for (const Output& n : {nx, ny})
      check(raw::LogicalOr(raw::Equal(n, rows), raw::Equal(n, one)), nx, ny);
    const auto repeated = [&](RaggedOrDense& z, const Output& n, std::int64_t known) {
      if (known > 1) return;
      const Output all = parts::counted(rows);
      const Output step = parts::cast_to(raw::NotEqual(n, one), type);
      z = parts::rows_at(z, known == 1 ? Output(zeros_like(all)) : parts::times(all, step));
    };
    repeated(x, nx, known_x);
    repeated(y, ny, known_y);
  }

  // The values of a plain tensor in the rows of a ragged one that has as many.
  Output spread(const Output& dense, const RaggedTensor& rows) {
    const PartialShape known = dense.shape();
    const Output ids = rowids_of_splits(rows.row_splits());
    const Output dims = shape(dense, {.out_type = type});
    const Output inner = parts::range_of(dims, 2, {});
    const Output minus_one = parts::number(-1, type);
    const Output flat = raw::Reshape(dense, rill::concat({parts::list_of({minus_one}), inner}, 0));
    if (known.has_rank() && known[1] == 1) return rill::gather(flat, ids);
    const Output width = parts::item(dims, 1), lengths = row_lengths(rows);
    const Output one = parts::number(1, type);
    check(raw::LogicalOr(raw::Equal(lengths, width), raw::Equal(width, one)), lengths, width);
    const Output places = parts::counted(parts::item(shape(ids, {.out_type = type}), 0));
    const Output is_one = raw::Fill(shape(ids), raw::Equal(width, one));
    return rill::gather(flat, raw::Select(is_one, ids, places));
  }

  // Both have the same number of rows and one rank.
  void match_rows(RaggedOrDense& x, RaggedOrDense& y) {
    const RaggedTensor *rx = ragged_in(x), *ry = ragged_in(y);
    if (rx == nullptr && ry == nullptr) return;
    const Output splits = rx != nullptr ? rx->row_splits() : ry->row_splits();
    if (rx != nullptr && ry != nullptr)
      parts::check_same_rows(checks, rx->row_splits(), ry->row_splits());
    RaggedOrDense inner_x =
        rx != nullptr ? parts::values_of(*rx) : RaggedOrDense(spread(std::get<Output>(x), *ry));
    RaggedOrDense inner_y =
        ry != nullptr ? parts::values_of(*ry) : RaggedOrDense(spread(std::get<Output>(y), *rx));
    match_rows(inner_x, inner_y);
    x = parts::under(splits, inner_x);
    y = parts::under(splits, inner_y);
  }

  void match(RaggedOrDense& x, RaggedOrDense& y) {
    if (!is_ragged(x) && !is_ragged(y)) return;
    const auto is_inner = [](const RaggedOrDense& a, const RaggedOrDense& b) {
      return is_ragged(a) && !is_ragged(b) &&
             parts::known_rank(b) < ragged_in(a)->flat_values.shape().rank();
    };
    if (is_inner(x, y) || is_inner(y, x)) return;  // the op broadcasts it itself
    const int rank = std::max(parts::known_rank(x), parts::known_rank(y));
    x = with_rank(x, rank, type);
    y = with_rank(y, rank, type);
    match_count(x, y);
    match_rows(x, y);
  }
};

DType common_splits_type(const std::vector<RaggedOrDense>& all) {
  DType type = DType::invalid;
  for (const RaggedOrDense& x : all) {
    if (!is_ragged(x)) continue;
    const DType own = ragged_in(x)->splits_type();
    type = type == DType::invalid || type == own ? own : DType::i64;
  }
  require(type != DType::invalid, "none of the arguments is ragged");
  return type;
}

std::vector<RaggedOrDense> with_splits_type(std::vector<RaggedOrDense> all, DType type) {
  for (RaggedOrDense& x : all)
    if (is_ragged(x)) x = parts::raised(x, 1, type);
  return all;
}

}  // namespace

FlatArguments with_same_rows(const std::vector<RaggedOrDense>& arguments) {
  const auto all = with_splits_type(arguments, common_splits_type(arguments));
  const RaggedTensor* first = nullptr;
  std::vector<Node*> checks;
  for (const RaggedOrDense& x : all) {
    const RaggedTensor* own = ragged_in(x);
    if (own == nullptr) continue;
    if (first == nullptr) first = own;
    require(own->ragged_rank() == first->ragged_rank(),
            "All ragged inputs must have the same ragged_rank: ", first->ragged_rank(), " and ",
            own->ragged_rank());
    for (std::size_t d = 0; d < first->nested_row_splits.size(); ++d)
      parts::check_same_rows(checks, first->nested_row_splits[d], own->nested_row_splits[d]);
  }
  return flat_of(all, checks);
}

FlatArguments broadcast(const std::vector<RaggedOrDense>& arguments) {
  Broadcast rules{.type = common_splits_type(arguments), .checks = {}};
  auto all = with_splits_type(arguments, rules.type);
  // What fits both the first and the last fits all: each meets the result of those before it.
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) rules.match(all[i], all[j]);
  for (std::size_t i = 0; i + 1 < all.size() && all.size() > 2; ++i)
    rules.match(all[i], all.back());
  return flat_of(all, rules.checks);
}

}  // namespace rill::ragged
