#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kBoostedTreesMakeStatsSummary, kBoostedTreesAggregateStats,
    kBoostedTreesSparseAggregateStats;

namespace {

// The statistics of examples, gradients before Hessians, and the nodes that they are in.
class Examples {
 public:
  explicit Examples(const KernelCall& call)
      : nodes_(call.input<std::int32_t>(0)),
        gradients_(call.input<float>(1)),
        hessians_(call.input<float>(2)),
        gradient_width_(static_cast<std::size_t>(call.input_tensor(1).dim(1))),
        hessian_width_(static_cast<std::size_t>(call.input_tensor(2).dim(1))),
        splits_(call.node().attr<std::int64_t>("max_splits")) {}

  std::size_t count() const { return nodes_.size(); }
  std::size_t width() const { return gradient_width_ + hessian_width_; }
  std::size_t node(std::size_t i) const {
    require(nodes_[i] >= 0 && nodes_[i] < splits_, "node_ids must be in [0, ", splits_,
            "), but example ", i, " is in node ", nodes_[i], ".");
    return static_cast<std::size_t>(nodes_[i]);
  }
  void add_to(float* sums, std::size_t i) const {
    for (std::size_t k = 0; k < gradient_width_; ++k)
      sums[k] += gradients_[i * gradient_width_ + k];
    sums += gradient_width_;
    for (std::size_t k = 0; k < hessian_width_; ++k) sums[k] += hessians_[i * hessian_width_ + k];
  }

 private:
  const std::span<const std::int32_t> nodes_;
  const std::span<const float> gradients_, hessians_;
  const std::size_t gradient_width_, hessian_width_;
  const std::int64_t splits_;
};

std::size_t checked_bucket(std::int32_t bucket, std::int64_t buckets) {
  require(bucket >= 0 && bucket < buckets, "Buckets must be in [0, ", buckets, "), got ", bucket);
  return static_cast<std::size_t>(bucket);
}

void make_stats(KernelCall& call) {
  const Examples examples(call);
  const auto buckets = call.node().attr<std::int64_t>("num_buckets");
  const auto sums = call.output<float>(0);
  std::ranges::fill(sums, 0.0F);
  const auto features = static_cast<std::size_t>(call.input_count() - 3);
  const std::size_t each = features == 0 ? 0 : sums.size() / features;
  // Each feature has a part of the sums of its own.
  call.parallel_for(features, 4.0 * static_cast<double>(examples.count()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t f = begin; f < end; ++f) {
                        const auto feature = call.input<std::int32_t>(static_cast<int>(f) + 3);
                        for (std::size_t i = 0; i < examples.count(); ++i) {
                          const std::size_t bucket = checked_bucket(feature[i], buckets);
                          const std::size_t at =
                              examples.node(i) * static_cast<std::size_t>(buckets) + bucket;
                          examples.add_to(&sums[f * each + at * 2], i);
                        }
                      }
                    });
}

void aggregate_stats(KernelCall& call) {
  const Examples examples(call);
  const auto buckets = call.node().attr<std::int64_t>("num_buckets");
  const auto feature = call.input<std::int32_t>(3);
  const auto dims = static_cast<std::size_t>(call.input_tensor(3).dim(1));
  const auto all_buckets = static_cast<std::size_t>(buckets + 1);
  const auto sums = call.output<float>(0);
  std::ranges::fill(sums, 0.0F);
  for (std::size_t i = 0; i < examples.count(); ++i) {
    const std::size_t node = examples.node(i);
    for (std::size_t d = 0; d < dims; ++d) {
      const std::int32_t given = feature[i * dims + d];
      const std::size_t bucket = given == -1 ? all_buckets - 1 : checked_bucket(given, buckets + 1);
      const std::size_t at = (node * dims + d) * all_buckets + bucket;
      examples.add_to(&sums[at * examples.width()], i);
    }
  }
}

// Sums by node, dimension and bucket, of those that have some.
using SparseSums = std::map<std::array<std::int32_t, 3>, std::vector<float>>;

std::vector<float>& sums_at(SparseSums& all, std::size_t node, std::int64_t dim,
                            std::int64_t bucket, std::size_t width) {
  std::vector<float>& sums = all[{static_cast<std::int32_t>(node), static_cast<std::int32_t>(dim),
                                  static_cast<std::int32_t>(bucket)}];
  sums.resize(width);
  return sums;
}

// What a feature says of each example: dimensions, ascending, and their buckets.
SparseSums sparse_sums(const KernelCall& call, const Examples& examples, std::int64_t dims,
                       std::int64_t buckets) {
  const auto indices = call.input<std::int32_t>(3), values = call.input<std::int32_t>(4);
  SparseSums all;
  std::size_t at = 0;
  for (std::size_t i = 0; i < examples.count(); ++i) {
    const std::size_t node = examples.node(i);
    std::int64_t next = 0;  // the dimension from which on nothing was said
    const auto missing_up_to = [&](std::int64_t end) {
      for (; next < end; ++next)
        examples.add_to(sums_at(all, node, next, buckets, examples.width()).data(), i);
    };
    for (; at < values.size() && indices[2 * at] == static_cast<std::int32_t>(i); ++at) {
      const std::int32_t dim = indices[2 * at + 1];
      require(dim >= next && dim < dims, "Index ", dim,
              " of a sparse feature is out of order or "
              "beyond its ",
              dims, " dimensions.");
      missing_up_to(dim);
      const auto bucket = static_cast<std::int64_t>(checked_bucket(values[at], buckets));
      examples.add_to(sums_at(all, node, dim, bucket, examples.width()).data(), i);
      next = dim + 1;
    }
    missing_up_to(dims);
  }
  require(at == values.size(),
          "The indices of a sparse feature must be sorted and name examples "
          "that are there.");
  return all;
}

void sparse_aggregate_stats(KernelCall& call) {
  const Examples examples(call);
  const auto buckets = call.node().attr<std::int64_t>("num_buckets");
  const auto shape = call.input<std::int32_t>(5);
  require(shape.size() == 2 && shape[1] >= 0 && shape[0] >= 0,
          "feature_shape must be two sizes, got ", summary(call.input_tensor(5)));
  require(static_cast<double>(shape[1]) * static_cast<double>(examples.count()) < 1e9,
          "A sparse feature of ", shape[1], " dimensions is too large.");
  const SparseSums all = sparse_sums(call, examples, shape[1], buckets);
  const std::size_t width = examples.width();
  const auto count = static_cast<std::int64_t>(all.size() * width);
  Tensor indices(DType::i32, {count, 4}), values(DType::f32, {count});
  std::int32_t* index = indices.data<std::int32_t>();
  float* value = values.data<float>();
  for (const auto& [place, sums] : all)
    for (std::size_t k = 0; k < width; ++k) {
      index = std::ranges::copy(place, index).out;
      *index++ = static_cast<std::int32_t>(k);
      *value++ = sums[k];
    }
  call.set_output(0, std::move(indices));
  call.set_output(1, std::move(values));
  call.set_output(
      2, Tensor::vector<std::int32_t>(
             {static_cast<std::int32_t>(call.node().attr<std::int64_t>("max_splits")), shape[1],
              static_cast<std::int32_t>(buckets + 1), static_cast<std::int32_t>(width)}));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBoostedTreesMakeStatsSummary, .run = make_stats},
    {.op = &kBoostedTreesAggregateStats, .run = aggregate_stats},
    {.op = &kBoostedTreesSparseAggregateStats, .run = sparse_aggregate_stats, .allocates = true},
};

}  // namespace

extern const KernelTable kBtStatsCpu{kEntries};

}  // namespace rill
