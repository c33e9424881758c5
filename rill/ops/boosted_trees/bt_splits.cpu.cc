#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/boosted_trees/leaf_gains.h"

namespace rill {

extern const OpDecl kBoostedTreesCalculateBestGainsPerFeature,
    kBoostedTreesCalculateBestFeatureSplit, kBoostedTreesSparseCalculateBestFeatureSplit;

namespace {

using Sums = std::span<const float>;

struct SplitSettings {
  Regularization regularization;
  float complexity, min_weight;

  SplitSettings(const KernelCall& call, int first)
      : regularization{scalar(call, first), scalar(call, first + 1)},
        complexity(scalar(call, first + 2)),
        min_weight(scalar(call, first + 3)) {}

 private:
  static float scalar(const KernelCall& call, int i) {
    return call.input_tensor(i).scalar_value<float>();
  }
};

struct NodeRange {
  std::int32_t first, last;
};
NodeRange node_range(const KernelCall& call, std::int64_t splits) {
  const auto given = call.input<std::int32_t>(0);
  require(given.size() == 2 && given[0] >= 0 && given[1] <= splits,
          "node_id_range must lie in [0, ", splits, "], got ", summary(call.input_tensor(0)));
  return {given[0], given[1]};
}

// The best way found so far to part a node's examples: sums of what goes left, the rest goes right.
class BestSplit {
 public:
  BestSplit(std::size_t logits, Sums total, const SplitSettings& settings)
      : settings_(settings),
        logits_(logits),
        gains_(logits, total.size() - logits, settings.regularization),
        total_(total),
        right_sums_(total.size()) {
    std::vector<float> unused;
    parent_ = gains_.best(total.first(logits), total.subspan(logits), unused);
  }

  // Whether there is enough weight for a split.
  bool is_heavy() const {
    float weight = 0;
    for (const float hessian : total_.subspan(logits_)) weight += hessian * hessian;
    return !(std::sqrt(weight) < settings_.min_weight);
  }

  void offer(Sums left, std::int64_t dimension, std::int64_t threshold, const char* kind) {
    for (std::size_t i = 0; i < left.size(); ++i) right_sums_[i] = total_[i] - left[i];
    const float gain = gains_.best(left.first(logits_), left.subspan(logits_), left_trial_) +
                       gains_.best(Sums(right_sums_).first(logits_),
                                   Sums(right_sums_).subspan(logits_), right_trial_);
    if (!(gain - best_ > 1e-15F)) return;
    best_ = gain;
    dimension_ = static_cast<std::int32_t>(dimension);
    threshold_ = static_cast<std::int32_t>(threshold);
    kind_ = kind;
    std::swap(left_, left_trial_);
    std::swap(right_, right_trial_);
  }

  bool found() const { return kind_ != nullptr; }
  float gain() const { return best_ - parent_ - settings_.complexity; }
  std::int32_t dimension() const { return dimension_; }
  std::int32_t threshold() const { return threshold_; }
  const char* kind() const { return kind_; }
  const std::vector<float>& left() const { return left_; }
  const std::vector<float>& right() const { return right_; }

 private:
  const SplitSettings& settings_;
  const std::size_t logits_;
  LeafGain gains_;
  const Sums total_;
  float parent_ = 0, best_ = std::numeric_limits<float>::lowest();
  std::int32_t dimension_ = 0, threshold_ = 0;
  const char* kind_ = nullptr;
  std::vector<float> right_sums_, left_, right_, left_trial_, right_trial_;
};

// The splits of nodes, as outputs want them.
struct SplitTable {
  std::vector<std::int32_t> nodes, dimensions, thresholds;
  std::vector<float> gains, left, right;
  std::vector<std::string> kinds;

  void add(std::int32_t node, const BestSplit& split) {
    nodes.push_back(node);
    dimensions.push_back(split.dimension());
    thresholds.push_back(split.threshold());
    gains.push_back(split.gain());
    left.insert(left.end(), split.left().begin(), split.left().end());
    right.insert(right.end(), split.right().begin(), split.right().end());
    kinds.emplace_back(split.kind());
  }

  template <class T>
  Tensor column(const std::vector<T>& values) const {
    return Tensor::of<T>({static_cast<std::int64_t>(nodes.size())}, std::span(values));
  }
  Tensor matrix(const std::vector<float>& values, std::int64_t width) const {
    return Tensor::of<float>({static_cast<std::int64_t>(nodes.size()), width}, std::span(values));
  }
};

constexpr const char *kMissingLeft = "INEQUALITY_DEFAULT_LEFT",
                     *kMissingRight = "INEQUALITY_DEFAULT_RIGHT",
                     *kEqual = "EQUALITY_DEFAULT_RIGHT";

void add_sums(std::vector<float>& to, Sums more) {
  for (std::size_t i = 0; i < more.size(); ++i) to[i] += more[i];
}

void set_split_outputs(KernelCall& call, const SplitTable& splits, std::int64_t logits) {
  call.set_output(0, splits.column(splits.nodes));
  call.set_output(1, splits.column(splits.gains));
  call.set_output(2, splits.column(splits.dimensions));
  call.set_output(3, splits.column(splits.thresholds));
  call.set_output(4, splits.matrix(splits.left, logits));
  call.set_output(5, splits.matrix(splits.right, logits));
  call.set_output(6, splits.column(splits.kinds));
}

void best_gains_per_feature(KernelCall& call) {
  const auto count = static_cast<int>(call.node().attr<std::int64_t>("num_features"));
  const NodeRange range = node_range(call, call.node().attr<std::int64_t>("max_splits"));
  const SplitSettings settings(call, 1 + count);
  for (int f = 0; f < count; ++f) {
    const auto buckets = static_cast<std::size_t>(call.input_tensor(1 + f).dim(1));
    const Sums stats = call.input<float>(1 + f);
    SplitTable splits;
    for (std::int32_t node = range.first; node < range.last; ++node) {
      const Sums own = stats.subspan(static_cast<std::size_t>(node) * buckets * 2, buckets * 2);
      std::vector<float> total(2), left(2);
      for (std::size_t b = 0; b < buckets; ++b) add_sums(total, own.subspan(b * 2, 2));
      BestSplit best(1, total, settings);
      if (!best.is_heavy()) continue;
      for (std::size_t b = 0; b < buckets; ++b) {
        add_sums(left, own.subspan(b * 2, 2));
        best.offer(left, 0, static_cast<std::int64_t>(b), kMissingLeft);
      }
      if (best.found()) splits.add(node, best);
    }
    call.set_output(f, splits.column(splits.nodes));
    call.set_output(count + f, splits.column(splits.gains));
    call.set_output(2 * count + f, splits.column(splits.thresholds));
    call.set_output(3 * count + f, splits.matrix(splits.left, 1));
    call.set_output(4 * count + f, splits.matrix(splits.right, 1));
  }
}

// --- one feature of several dimensions
// ------------------------------------------------------------

bool all_zero(Sums sums) {
  return std::ranges::all_of(sums, [](float sum) { return sum == 0; });
}

// Missing values, the last bucket, go with those up to a threshold or with the others.
void offer_thresholds(BestSplit& best, Sums buckets, std::size_t width, std::int64_t dim,
                      bool is_sparse, const char* kind) {
  const Sums missing = buckets.last(width);
  std::vector<float> left(width);
  if (kind == kMissingLeft) add_sums(left, missing);
  for (std::size_t b = 0; (b + 1) * width < buckets.size(); ++b) {
    const Sums own = buckets.subspan(b * width, width);
    if (is_sparse && all_zero(own)) continue;  // sparse statistics do not know of such buckets
    add_sums(left, own);
    best.offer(left, dim, static_cast<std::int64_t>(b), kind);
  }
}

// Of equally good splits the first counts: TensorFlow's sparse splits look right first.
void offer_inequalities(BestSplit& best, Sums buckets, std::size_t width, std::int64_t dim,
                        bool is_sparse) {
  const char* const first = is_sparse ? kMissingRight : kMissingLeft;
  offer_thresholds(best, buckets, width, dim, is_sparse, first);
  if (all_zero(buckets.last(width))) return;
  offer_thresholds(best, buckets, width, dim, is_sparse,
                   first == kMissingLeft ? kMissingRight : kMissingLeft);
}

void offer_equalities(BestSplit& best, Sums buckets, std::size_t count, std::size_t width,
                      std::int64_t dim) {
  for (std::size_t b = 0; b < count; ++b)
    best.offer(buckets.subspan(b * width, width), dim, static_cast<std::int64_t>(b), kEqual);
}

// Statistics of the nodes in a range, [node, dimension, bucket, statistic]; the last bucket is that
// of missing values. `dimensions(node)` gives the ones worth a look.
struct FeatureStats {
  std::size_t dims, buckets, width;
};

void best_of_node(std::int32_t node, Sums own, const FeatureStats& size, std::size_t logits,
                  bool equality, const SplitSettings& settings, SplitTable& splits) {
  const std::size_t row = (size.buckets + 1) * size.width;
  std::vector<float> total(size.width);
  for (std::size_t b = 0; b <= size.buckets && size.dims > 0; ++b)
    add_sums(total, own.subspan(b * size.width, size.width));
  BestSplit best(logits, total, settings);
  if (!best.is_heavy()) return;
  for (std::size_t d = 0; d < size.dims; ++d)
    if (const Sums of_dim = own.subspan(d * row, row); equality)
      offer_equalities(best, of_dim, size.buckets, size.width, static_cast<std::int64_t>(d));
    else
      offer_inequalities(best, of_dim, size.width, static_cast<std::int64_t>(d), false);
  if (best.found()) splits.add(node, best);
}

FeatureStats feature_stats(std::int64_t dims, std::int64_t buckets, std::int64_t width,
                           std::int64_t logits) {
  require(buckets > 0 && width > logits,
          "stats_summary needs a bucket for missing values and "
          "statistics of ",
          logits, " logits, but has ", buckets, " buckets of ", width, ".");
  return {static_cast<std::size_t>(dims), static_cast<std::size_t>(buckets - 1),
          static_cast<std::size_t>(width)};
}

void best_feature_split(KernelCall& call) {
  const Tensor& stats = call.input_tensor(1);
  const auto logits = call.node().attr<std::int64_t>("logits_dimension");
  const FeatureStats size = feature_stats(stats.dim(1), stats.dim(2), stats.dim(3), logits);
  const NodeRange range = node_range(call, stats.dim(0));
  const SplitSettings settings(call, 2);
  const bool equality = call.node().attr<std::string>("split_type") == "equality";
  const std::size_t each = size.dims * (size.buckets + 1) * size.width;
  SplitTable splits;
  for (std::int32_t node = range.first; node < range.last; ++node)
    best_of_node(node, stats.flat<float>().subspan(static_cast<std::size_t>(node) * each, each),
                 size, static_cast<std::size_t>(logits), equality, settings, splits);
  set_split_outputs(call, splits, logits);
}

// The statistics of each node, without zeros; those of dimensions that are not mentioned are zero.
void sparse_best_feature_split(KernelCall& call) {
  const auto indices = call.input<std::int32_t>(1), shape = call.input<std::int32_t>(3);
  const auto values = call.input<float>(2);
  require(shape.size() == 4 && std::ranges::all_of(shape, [](int size) { return size >= 0; }),
          "stats_summary_shape must be four sizes, got ", summary(call.input_tensor(3)));
  const auto logits = call.node().attr<std::int64_t>("logits_dimension");
  const FeatureStats size = feature_stats(shape[1], shape[2], shape[3], logits);
  const NodeRange range = node_range(call, shape[0]);
  const SplitSettings settings(call, 4);
  const double row = static_cast<double>(size.buckets + 1) * static_cast<double>(size.width);
  require(row < 1e8, "stats_summary_shape is too large: ", summary(call.input_tensor(3)));
  const auto key = [&](std::size_t at, std::size_t part) { return indices[4 * at + part]; };
  SplitTable splits;
  std::vector<float> one((size.buckets + 1) * size.width);
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t part = 0; part < 4; ++part)
      require(key(i, part) >= 0 && key(i, part) < shape[part], "Index ", key(i, part),
              " of stats_summary_indices is beyond ", shape[part], ".");
  const auto take_dimension = [&](std::int32_t node, std::int32_t dim) {
    std::ranges::fill(one, 0.0F);
    for (; at < values.size() && key(at, 0) == node && key(at, 1) == dim; ++at)
      one[static_cast<std::size_t>(key(at, 2)) * size.width +
          static_cast<std::size_t>(key(at, 3))] = values[at];
  };
  while (at < values.size()) {
    const std::int32_t node = key(at, 0);
    std::optional<BestSplit> best;
    std::vector<float> total(size.width);
    bool wanted = node >= range.first && node < range.last;
    while (at < values.size() && key(at, 0) == node) {
      const std::int32_t dim = key(at, 1);
      take_dimension(node, dim);
      if (!wanted) continue;
      if (!best) {
        for (std::size_t b = 0; b <= size.buckets; ++b)
          add_sums(total, Sums(one).subspan(b * size.width, size.width));
        best.emplace(static_cast<std::size_t>(logits), total, settings);
        wanted = best->is_heavy();
      }
      if (wanted) offer_inequalities(*best, one, size.width, dim, true);
    }
    if (best && wanted && best->found()) splits.add(node, *best);
  }
  set_split_outputs(call, splits, logits);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBoostedTreesCalculateBestGainsPerFeature,
     .run = best_gains_per_feature,
     .allocates = true},
    {.op = &kBoostedTreesCalculateBestFeatureSplit, .run = best_feature_split, .allocates = true},
    {.op = &kBoostedTreesSparseCalculateBestFeatureSplit,
     .run = sparse_best_feature_split,
     .allocates = true},
};

}  // namespace

extern const KernelTable kBtSplitsCpu{kEntries};

}  // namespace rill
