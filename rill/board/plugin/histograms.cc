#include <algorithm>

#include "rill/board/data/stored_tensor.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

// The parts of a normal distribution at -1.5, -1, -0.5, 0, 0.5, 1 and 1.5 standard deviations, in
// hundredths of percents, and both ends.
constexpr double kBasisPoints[] = {0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};

Answer histogram_tags(const BoardFacts& board, const Question&) {
  return tags_answer(board, "histograms", [](const Series&, JsonOut&) {});
}

// At most so many values, the first and the last among them.
std::vector<StoredValue> evenly(std::vector<StoredValue> values, std::size_t most) {
  if (most < 2 || values.size() <= most) return values;
  std::vector<StoredValue> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(values[i * (values.size() - 1) / (most - 1)]);
  return some;
}

// [[wall time, step, what `write` makes of the buckets], ...]
Answer each_histogram(const BoardFacts& board, const Question& question,
                      FunctionRef<void(const std::vector<Bucket>&, JsonOut&)> write) {
  const StoredSeries stored = asked_stored(board, question, "histograms", "histogram data");
  JsonOut json;
  json.open_array();
  for (const StoredValue& value : evenly(stored.values, question.count_or("most", 0))) {
    json.open_array().number(value.wall_time).integer(value.step).open_array();
    write(buckets_of(value.kind, stored.bytes(value)), json);
    json.close_array().close_array();
  }
  json.close_array();
  return json_answer(json);
}

Answer histograms(const BoardFacts& board, const Question& question) {
  return each_histogram(board, question, [](const std::vector<Bucket>& buckets, JsonOut& json) {
    for (const auto& [left, right, count] : buckets)
      json.open_array().number(left).number(right).number(count).close_array();
  });
}

// The values below which such parts of the weight lie, between the edges of buckets in proportion.
std::vector<double> quantiles(const std::vector<Bucket>& buckets) {
  std::vector<double> result;
  if (buckets.empty()) return std::vector<double>(std::size(kBasisPoints), 0.0);
  double total = 0;
  for (const Bucket& bucket : buckets) total += bucket.count;
  if (total == 0) total = 1;
  std::vector<double> weights;
  double sum = 0;
  for (const Bucket& bucket : buckets)
    weights.push_back(sum += bucket.count * kBasisPoints[std::size(kBasisPoints) - 1] / total);
  const double smallest = buckets.front().left, largest = buckets.back().right;
  for (const double point : kBasisPoints) {
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(weights, point) - weights.begin());
    while (i < weights.size() && i > 0 && weights[i] == weights[i - 1]) ++i;
    if (i >= weights.size()) {
      result.push_back(largest);
      continue;
    }
    const double before = i > 0 ? weights[i - 1] : 0;
    if (weights[i] == before) {  // a first bucket of nothing
      result.push_back(smallest);
      continue;
    }
    const double left = i == 0 || before == 0 ? smallest : std::max(buckets[i - 1].right, smallest);
    const double right = std::min(buckets[i].right, largest);
    result.push_back(left + (point - before) * (right - left) / (weights[i] - before));
  }
  return result;
}

Answer distributions(const BoardFacts& board, const Question& question) {
  return each_histogram(board, question, [](const std::vector<Bucket>& buckets, JsonOut& json) {
    const std::vector<double> values = quantiles(buckets);
    for (std::size_t i = 0; i < values.size(); ++i)
      json.open_array().number(kBasisPoints[i]).number(values[i]).close_array();
  });
}

}  // namespace

std::span<const Route> histogram_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/histograms/tags", histogram_tags},
                                      {"/data/plugin/histograms/histograms", histograms},
                                      {"/data/plugin/distributions/tags", histogram_tags},
                                      {"/data/plugin/distributions/distributions", distributions}};
  return kRoutes;
}

}  // namespace rill::board
