#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {

extern const OpDecl kKmeansPlusPlusInitialization, kKMC2ChainInitialization, kNearestNeighbors;

namespace {

// Numbers from a stream, word by word, as TensorFlow draws them where it clusters.
class WordDraws {
 public:
  explicit WordDraws(std::uint64_t seed) : stream_(seed, 0) {}

  std::uint64_t below(std::uint64_t n) {
    if ((n & (n - 1)) == 0) return word64() & (n - 1);
    const std::uint64_t bias = std::numeric_limits<std::uint64_t>::max() % n + 1;
    for (;;)
      if (const std::uint64_t drawn = word64(); drawn >= bias) return drawn % n;
  }
  double unit() {
    const std::uint32_t first = word(), second = word();
    const std::uint64_t bits = Philox::join((first & 0xfffff) | 0x3ff00000, second);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value - 1.0;
  }
  float unit_float() {
    const std::uint32_t bits = (word() & 0x7fffff) | 0x3f800000;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value - 1.0F;
  }

 private:
  std::uint32_t word() {
    if (used_ == 4) {
      block_ = stream_.next();
      used_ = 0;
    }
    return block_[used_++];
  }
  std::uint64_t word64() {
    const std::uint32_t low = word();
    return Philox::join(word(), low);
  }

  Philox stream_;
  Philox::Block block_{};
  std::size_t used_ = 4;
};

// Points as rows, and their squared lengths.
struct Points {
  explicit Points(const Tensor& given)
      : count(static_cast<std::size_t>(given.dim(0))),
        dims(static_cast<std::size_t>(given.dim(1))),
        rows(given.data<float>()),
        squares(count) {
    for (std::size_t i = 0; i < count; ++i)
      squares[i] = std::inner_product(row(i), row(i) + dims, row(i), 0.0F);
  }
  const float* row(std::size_t i) const { return rows + i * dims; }

  std::size_t count, dims;
  const float* rows;
  std::vector<float> squares;
};

// --- k-means++
// ------------------------------------------------------------------------------------

// How far each point is from the nearest of the chosen ones, squared.
class Distances {
 public:
  Distances(const KernelCall& call, const Points& points)
      : call_(call), points_(points), nearest_(points.count, kFar), with_new_(points.count) {}

  // The sum of distances if point i were chosen, too.
  double try_point(std::size_t i) {
    call_.parallel_for(points_.count, static_cast<double>(points_.dims),
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t j = begin; j < end; ++j) {
                           float sum = 0;
                           for (std::size_t d = 0; d < points_.dims; ++d) {
                             const float difference = points_.row(j)[d] - points_.row(i)[d];
                             sum += difference * difference;
                           }
                           with_new_[j] = std::min(nearest_[j], sum);
                         }
                       });
    return std::accumulate(with_new_.begin(), with_new_.end(), 0.0);
  }
  void keep_tried() { best_ = with_new_; }
  void choose_kept() {
    nearest_ = best_;
    cumulated_.resize(points_.count);
    std::partial_sum(nearest_.begin(), nearest_.end(), cumulated_.begin());
  }

  // Not one of `chosen`; any point before one was chosen, then by distance.
  std::size_t draw(WordDraws& draws, const std::vector<bool>& chosen) {
    if (cumulated_.empty()) return draws.below(points_.count);
    for (int tries = 0; tries < kMostTries; ++tries) {
      const float at = draws.unit_float() * cumulated_.back();
      const auto found = std::ranges::upper_bound(cumulated_, at) - cumulated_.begin();
      const auto i = static_cast<std::size_t>(found);
      if (i < points_.count && !chosen[i]) return i;
    }
    // All others lie where chosen ones do.
    return static_cast<std::size_t>(std::ranges::find(chosen, false) - chosen.begin());
  }

 private:
  static constexpr float kFar = std::numeric_limits<float>::max();
  static constexpr int kMostTries = 1000;
  const KernelCall& call_;
  const Points& points_;
  std::vector<float> nearest_, with_new_, best_, cumulated_;
};

void kmeans_plus_plus(KernelCall& call) {
  const Points points(call.input_tensor(0));
  const auto wanted = call.input_tensor(1).scalar_value<std::int64_t>();
  require(wanted > 0, "Expected num_to_sample > 0.");
  require(wanted <= static_cast<std::int64_t>(points.count),
          "Expected num_to_sample <= points.rows(). ", wanted, " vs ", points.count, ".");
  WordDraws draws(static_cast<std::uint64_t>(call.input_tensor(2).scalar_value<std::int64_t>()));
  const auto retries = call.input_tensor(3).scalar_value<std::int64_t>();
  constexpr std::int64_t kMostRetries = 100'000;  // beyond, the step would not end
  require(retries <= kMostRetries, "Expected num_retries_per_sample <= ", kMostRetries, ". ",
          retries, " is too many.");
  Distances distances(call, points);
  float* to = call.allocate_output(0, {wanted, call.input_tensor(0).dim(1)}).data<float>();
  std::vector<bool> chosen(points.count);
  for (std::int64_t sample = 0; sample < wanted; ++sample) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::int64_t draw = 0; draw <= std::max<std::int64_t>(retries, 0); ++draw) {
      const std::size_t candidate = distances.draw(draws, chosen);
      const double sum = distances.try_point(candidate);
      if (draw > 0 && !(sum < least)) continue;
      least = sum;
      best = candidate;
      distances.keep_tried();
    }
    distances.choose_kept();
    chosen[best] = true;
    to = std::copy_n(points.row(best), points.dims, to);
  }
}

void kmc2_chain(KernelCall& call) {
  const auto distances = call.input<float>(0);
  require(!distances.empty(), "Expected distances of at least one candidate.");
  WordDraws draws(static_cast<std::uint64_t>(call.input_tensor(1).scalar_value<std::int64_t>()));
  std::size_t at = 0;
  for (std::size_t i = 1; i < distances.size(); ++i)
    if (distances[at] == 0 || static_cast<double>(distances[i] / distances[at]) > draws.unit())
      at = i;
  call.output<std::int64_t>(0)[0] = static_cast<std::int64_t>(at);
}

// --- nearest neighbours
// ---------------------------------------------------------------------------

using Found = std::pair<float, std::int64_t>;  // a distance and whose

// The k smallest of a row of products, as distances, in order.
void nearest_of(const float* products, float square, const Points& centers, std::size_t k,
                std::vector<Found>& found) {
  found.clear();
  for (std::size_t j = 0; j < centers.count; ++j)
    found.emplace_back(square - 2 * products[j] + centers.squares[j], j);
  if (k == 1)
    std::swap(found[0], *std::ranges::min_element(found));
  else
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(k));
}

constexpr std::int64_t kRowsAtOnce = 1024;

void nearest_neighbors(KernelCall& call) {
  const Tensor &given = call.input_tensor(0), &centers_given = call.input_tensor(1);
  const Points points(given), centers(centers_given);
  const auto wanted = call.input_tensor(2).scalar_value<std::int64_t>();
  require(wanted >= 0, "k must not be negative, got ", wanted);
  const auto k = std::min(static_cast<std::size_t>(wanted), centers.count);
  const Shape shape{given.dim(0), static_cast<std::int64_t>(k)};
  auto* indices = call.allocate_output(0, shape).data<std::int64_t>();
  auto* distances = call.allocate_output(1, shape).data<float>();
  if (k == 0) return;
  const MultiplyFn multiply = onednn_multiply(DType::f32);
  for (std::int64_t begin = 0; begin < given.dim(0); begin += kRowsAtOnce) {
    const std::int64_t rows = std::min(kRowsAtOnce, given.dim(0) - begin);
    std::vector<float> products(static_cast<std::size_t>(rows) * centers.count);
    if (points.dims > 0)
      multiply(call, {.m = rows,
                      .n = centers_given.dim(0),
                      .k = given.dim(1),
                      .a = points.row(static_cast<std::size_t>(begin)),
                      .b = centers.rows,
                      .c = products.data(),
                      .transpose_b = true});
    call.parallel_for(static_cast<std::size_t>(rows), 5.0 * static_cast<double>(centers.count),
                      [&](std::size_t from, std::size_t to) {
                        std::vector<Found> found;
                        for (std::size_t row = from; row < to; ++row) {
                          const std::size_t point = static_cast<std::size_t>(begin) + row;
                          nearest_of(&products[row * centers.count], points.squares[point], centers,
                                     k, found);
                          for (std::size_t i = 0; i < k; ++i) {
                            indices[point * k + i] = found[i].second;
                            distances[point * k + i] = std::max(found[i].first, 0.0F);
                          }
                        }
                      });
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kKmeansPlusPlusInitialization, .run = kmeans_plus_plus, .allocates = true},
    {.op = &kKMC2ChainInitialization, .run = kmc2_chain},
    {.op = &kNearestNeighbors, .run = nearest_neighbors, .allocates = true},
};

}  // namespace

extern const KernelTable kClusteringCpu{kEntries};

}  // namespace rill
