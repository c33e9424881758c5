#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/io/lines.h"
#include "rill/ops/candidate_sampling/class_sampler.h"

namespace rill {
namespace {

// A column of Walker's alias table: the class itself with this probability, else the other one.
struct Column {
  float own;
  std::int32_t other;
};

// Pairs what is rarer than average with what is more frequent, in Vose's order from the back.
std::vector<Column> alias_table(const std::vector<float>& weights) {
  double sum = 0;
  for (const float weight : weights) sum += weight;
  const auto count = static_cast<float>(weights.size());
  std::vector<double> share;
  std::vector<std::int32_t> frequent, rare;
  for (const float weight : weights) {
    share.push_back(weight * count / sum);
    (share.back() < 1 ? rare : frequent).push_back(static_cast<std::int32_t>(share.size() - 1));
  }
  std::vector<Column> columns(weights.size());
  while (!frequent.empty() && !rare.empty()) {
    const std::int32_t low = rare.back(), high = frequent.back();
    rare.pop_back();
    frequent.pop_back();
    columns[low].other = high;
    share[high] -= 1 - share[low];
    (share[high] < 1 ? rare : frequent).push_back(high);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].own = static_cast<float>(share[i]);
  for (const auto* left : {&frequent, &rare})  // whole, but for rounding
    for (const std::int32_t i : *left) columns[i] = {1, i};
  return columns;
}

class FixedSampler final : public ClassSampler {
 public:
  explicit FixedSampler(const std::vector<float>& weights)
      : ClassSampler(static_cast<std::int64_t>(weights.size())),
        weights_(weights),
        columns_(alias_table(weights)) {
    for (const float weight : weights) total_ += weight;
    std::vector<bool> reachable(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      constexpr float kMaxDraw = 1 - 0x1p-23F;
      if (columns_[i].own > 0) reachable[i] = true;
      if (columns_[i].own <= kMaxDraw) reachable[columns_[i].other] = true;
    }
    reachable_ = std::ranges::count(reachable, true);
  }

  std::int64_t reachable_count() const override { return reachable_; }
  std::int64_t draw(WordDraws& words) const override {
    const float u = words.uniform_float();
    const std::uint32_t i = words.below(static_cast<std::uint32_t>(columns_.size()));
    return u < columns_[i].own ? static_cast<std::int64_t>(i) : columns_[i].other;
  }
  float probability(std::int64_t value) const override {
    return weights_[static_cast<std::size_t>(value)] / total_;
  }

 private:
  const std::vector<float> weights_;
  const std::vector<Column> columns_;
  float total_ = 0;
  std::int64_t reachable_ = 0;
};

// Gathers the weights of one shard: of every num_shards-th class, counted from the reserved ones
// on.
class Weights {
 public:
  explicit Weights(const KernelNode& node)
      : range_(node.attr<std::int64_t>("range_max")),
        shards_(node.attr<std::int64_t>("num_shards")),
        shard_(node.attr<std::int64_t>("shard")),
        distortion_(node.attr<float>("distortion")) {
    const auto reserved = node.attr<std::int64_t>("num_reserved_ids");
    require(range_ <= std::numeric_limits<std::int32_t>::max() && reserved / shards_ <= range_,
            "range is ", range_, " must fit into 32 bits and hold num_reserved_ids, ", reserved);
    reserve_first(reserved);
    next_ = static_cast<std::int64_t>(kept_.size());
  }

  bool wants_next() const { return next_ % shards_ == shard_; }
  void skip() { ++next_; }
  void add(float weight) {
    weight = std::pow(weight, distortion_);
    require(weight >= 0 && std::isfinite(weight), "the weight of class ", next_,
            " must not be negative and be finite, got ", weight);
    require(static_cast<std::int64_t>(kept_.size()) < range_, "range is ", range_,
            " must be equal to weights size, which is larger");
    kept_.push_back(weight);
    ++next_;
  }
  std::vector<float> take() {
    require(range_ == static_cast<std::int64_t>(kept_.size()), "range is ", range_,
            " must be equal to weights size  ", kept_.size());
    return std::move(kept_);
  }

 private:
  // A number alone asks for these, so memory is looked at first.
  void reserve_first(std::int64_t reserved) {
    constexpr std::size_t kBytesPerClass = sizeof(float) * 2 + sizeof(double) + sizeof(Column) * 2;
    if (reserved <= shard_) return;
    const auto count = static_cast<std::size_t>((reserved - 1 - shard_) / shards_ + 1);
    if (count > available_memory() / kBytesPerClass)
      raise(Code::kResourceExhausted, "no memory for num_reserved_ids of ", reserved);
    kept_.resize(count);
  }

  const std::int64_t range_, shards_, shard_;
  const float distortion_;
  std::int64_t next_;
  std::vector<float> kept_;
};

// The last field of a line, separated by commas, is the weight.
void read_weights(const std::string& file, Weights& weights) {
  Lines lines(file);
  for (std::string line; lines.read(&line);) {
    if (line.empty()) continue;
    if (!weights.wants_next()) {
      weights.skip();
      continue;
    }
    double weight = 0;
    require(parse_float(strip(split(line, ',').back()), &weight),
            "Wrong vocabulary format at line: ", line);
    weights.add(static_cast<float>(weight));
  }
}

}  // namespace

std::unique_ptr<ClassSampler> make_fixed_sampler(const KernelNode& node) {
  const auto& file = node.attr<std::string>("vocab_file");
  const auto& unigrams = node.attr<std::vector<float>>("unigrams");
  require(!file.empty() || !unigrams.empty(), "Must provide either vocab_file or unigrams.");
  require(file.empty() || unigrams.empty(), "Must only provide one of vocab_file and unigrams.");
  Weights weights(node);
  if (!file.empty()) read_weights(file, weights);
  for (const float unigram : unigrams) weights.wants_next() ? weights.add(unigram) : weights.skip();
  return std::make_unique<FixedSampler>(weights.take());
}

}  // namespace rill
