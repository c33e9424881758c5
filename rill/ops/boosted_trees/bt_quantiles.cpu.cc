#include <algorithm>
#include <utility>
#include <vector>

#include "rill/ops/boosted_trees/initialized_resource.h"
#include "rill/ops/boosted_trees/weighted_quantiles.h"

namespace rill {

extern const OpDecl kBoostedTreesBucketize, kBoostedTreesMakeQuantileSummaries,
    kBoostedTreesQuantileStreamResourceHandleOp, kIsBoostedTreesQuantileStreamResourceInitialized,
    kBoostedTreesCreateQuantileStreamResource, kBoostedTreesQuantileStreamResourceAddSummaries,
    kBoostedTreesQuantileStreamResourceDeserialize, kBoostedTreesQuantileStreamResourceFlush,
    kBoostedTreesQuantileStreamResourceGetBucketBoundaries, kBoostedTreesFlushQuantileSummaries;

namespace {

class QuantileStreams : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::BoostedTreesQuantileStreamResource";
  explicit QuantileStreams(std::string name) : name_(std::move(name)) {}
  std::string describe() const override { return "quantile streams " + name_; }
  const std::string& name() const { return name_; }

  std::mutex mutex;
  bool is_initialized = false;
  std::vector<QuantileSketch> sketches;
  std::vector<std::vector<float>> boundaries;

 private:
  const std::string name_;
};
using Streams = Locked<QuantileStreams>;

void require_streams(const Streams& streams, int features) {
  require(static_cast<std::size_t>(features) <= streams->sketches.size(), "There are ",
          streams->sketches.size(), " quantile streams, but ", features, " features were given.");
}

void bucketize(KernelCall& call) {
  const int count = call.output_count();
  for (int i = 0; i < count; ++i) {
    const auto values = call.input<float>(i), boundaries = call.input<float>(count + i);
    const auto buckets = call.output<std::int32_t>(i);
    const auto last =
        std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(boundaries.size()) - 1, 0);
    call.parallel_for(values.size(), 20, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const auto found = std::ranges::lower_bound(boundaries, values[row]) - boundaries.begin();
        buckets[row] = static_cast<std::int32_t>(std::min(found, last));
      }
    });
  }
}

Tensor summary_tensor(const QuantileSummary& summary) {
  Tensor rows(DType::f32, {summary.size(), 4});
  float* to = rows.data<float>();
  for (const QuantileEntry& entry : summary.entries()) {
    *to++ = entry.value;
    *to++ = entry.weight;
    *to++ = entry.min_rank;
    *to++ = entry.max_rank;
  }
  return rows;
}

void make_summaries(KernelCall& call) {
  const int count = call.output_count();
  const auto weights = call.input<float>(count);
  const float error = call.input_tensor(count + 1).scalar_value<float>();
  for (int i = 0; i < count; ++i) {
    const auto values = call.input<float>(i);
    require(weights.size() == 1 || weights.size() == values.size(), "There are ", weights.size(),
            " weights for ", values.size(), " examples.");
    QuantileSketch sketch(error, static_cast<std::int64_t>(values.size()) + 1);
    for (std::size_t row = 0; row < values.size(); ++row)
      sketch.add(values[row], weights[weights.size() == 1 ? 0 : row]);
    call.set_output(i, summary_tensor(sketch.finish()));
  }
}

void create(KernelCall& call) {
  const auto streams = shared_input_as<QuantileStreams>(call);
  const std::lock_guard lock(streams->mutex);
  if (streams->is_initialized) return;
  const auto count = call.input_tensor(2).scalar_value<std::int64_t>();
  require(count >= 0 && count <= (1 << 20), "Num_streams input cannot be ", count);
  const QuantileSketch empty(call.input_tensor(1).scalar_value<float>(),
                             call.node().attr<std::int64_t>("max_elements"));
  streams->sketches.assign(static_cast<std::size_t>(count), empty);
  streams->boundaries.assign(static_cast<std::size_t>(count), {});
  streams->is_initialized = true;
}

void add_summaries(KernelCall& call) {
  const Streams streams(call);
  const int count = call.input_count() - 1;
  require_streams(streams, count);
  for (int i = 0; i < count; ++i) {
    const auto rows = call.input<float>(i + 1);
    std::vector<QuantileEntry> entries;
    for (std::size_t at = 0; at < rows.size(); at += 4)
      entries.push_back({rows[at], rows[at + 1], rows[at + 2], rows[at + 3]});
    streams->sketches[static_cast<std::size_t>(i)].add(QuantileSummary(std::move(entries)));
  }
}

void load(KernelCall& call) {
  const Streams streams(call);
  const int count = call.input_count() - 1;
  require_streams(streams, count);
  for (int i = 0; i < count; ++i) {
    const auto given = call.input<float>(i + 1);
    streams->boundaries[static_cast<std::size_t>(i)].assign(given.begin(), given.end());
  }
}

void flush(KernelCall& call) {
  const Streams streams(call);
  const auto count = call.input_tensor(1).scalar_value<std::int64_t>();
  require(count > 0 && count < (1 << 30), "num_buckets must be positive, got ", count);
  const bool even = call.node().attr<bool>("generate_quantiles");
  for (std::size_t i = 0; i < streams->sketches.size(); ++i) {
    const QuantileSummary summary = streams->sketches[i].finish();
    std::vector<float> values = even ? summary.quantiles(count - 1) : summary.boundaries(count);
    values.erase(std::ranges::unique(values).begin(), values.end());
    streams->boundaries[i] = std::move(values);
  }
}

void get_boundaries(KernelCall& call) {
  const Streams streams(call);
  require_streams(streams, call.output_count());
  for (int i = 0; i < call.output_count(); ++i) {
    const std::vector<float>& values = streams->boundaries[static_cast<std::size_t>(i)];
    call.set_output(
        i, Tensor::of<float>({static_cast<std::int64_t>(values.size())}, std::span(values)));
  }
}

void flush_summaries(KernelCall& call) {
  const Streams streams(call);
  require_streams(streams, call.output_count());
  for (int i = 0; i < call.output_count(); ++i)
    call.set_output(i, summary_tensor(streams->sketches[static_cast<std::size_t>(i)].finish()));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBoostedTreesBucketize, .run = bucketize},
    allocating(kBoostedTreesMakeQuantileSummaries, make_summaries),
    shared_handle_kernel(kBoostedTreesQuantileStreamResourceHandleOp,
                         initialized_handle<QuantileStreams>),
    allocating(kIsBoostedTreesQuantileStreamResourceInitialized, is_initialized<QuantileStreams>),
    allocating(kBoostedTreesCreateQuantileStreamResource, create),
    allocating(kBoostedTreesQuantileStreamResourceAddSummaries, add_summaries),
    allocating(kBoostedTreesQuantileStreamResourceDeserialize, load),
    allocating(kBoostedTreesQuantileStreamResourceFlush, flush),
    allocating(kBoostedTreesQuantileStreamResourceGetBucketBoundaries, get_boundaries),
    allocating(kBoostedTreesFlushQuantileSummaries, flush_summaries),
};

}  // namespace

extern const KernelTable kBtQuantilesCpu{kEntries};

}  // namespace rill
