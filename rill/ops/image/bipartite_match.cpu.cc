#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kBipartiteMatch;

namespace {

struct MatchPair {
  float distance;
  std::int32_t row, column;
};

// What is no number is further than anything else, so that there is an order.
float comparable(float distance) {
  return std::isnan(distance) ? std::numeric_limits<float>::infinity() : distance;
}

std::int64_t paired_rows(const Tensor& given, std::int64_t rows) {
  require(given.element_count() == 1, "num_valid_rows should be a vector of 1 element, got ",
          given.shape());
  const float count = given.data<float>()[0];
  // Also what is no number means all.
  if (!(count >= 0)) return rows;
  return count < static_cast<float>(rows) ? static_cast<std::int64_t>(count + 0.1F) : rows;
}

void bipartite_match(KernelCall& call) {
  const Tensor& distances = call.input_tensor(0);
  const std::int64_t columns = distances.dim(1);
  const std::int64_t rows = paired_rows(call.input_tensor(1), distances.dim(0));
  auto row_matches = call.output<std::int32_t>(0), column_matches = call.output<std::int32_t>(1);
  std::ranges::fill(row_matches, -1);
  std::ranges::fill(column_matches, -1);
  std::vector<MatchPair> pairs;
  pairs.reserve(static_cast<std::size_t>(rows * columns));
  const float* distance = distances.data<float>();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      pairs.push_back({comparable(*distance++), static_cast<std::int32_t>(row),
                       static_cast<std::int32_t>(column)});
  std::ranges::stable_sort(
      pairs, [](const MatchPair& a, const MatchPair& b) { return a.distance < b.distance; });
  const std::int64_t top_k = call.node().attr<std::int64_t>("top_k");
  std::int64_t left = std::min(rows, columns);
  if (top_k > 0) left = std::min(left, top_k);
  for (const MatchPair& pair : pairs) {
    if (left == 0) break;
    std::int32_t& of_row = row_matches[static_cast<std::size_t>(pair.row)];
    std::int32_t& of_column = column_matches[static_cast<std::size_t>(pair.column)];
    if (of_row >= 0 || of_column >= 0) continue;
    of_row = pair.column;
    of_column = pair.row;
    --left;
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBipartiteMatch, .run = bipartite_match},
};

}  // namespace

extern const KernelTable kBipartiteMatchCpu{kEntries};

}  // namespace rill
