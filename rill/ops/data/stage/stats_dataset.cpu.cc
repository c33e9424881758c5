#include "rill/base/clock.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/stats_aggregator.h"
#include "rill/ops/data/stage/pass_through_dataset.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kBytesProducedStatsDataset, kExperimentalBytesProducedStatsDataset,
    kExperimentalLatencyStatsDataset, kExperimentalSetStatsAggregatorDataset, kLatencyStatsDataset,
    kSetStatsAggregatorDataset;

namespace {

enum class Measured { kMicros, kBytes };

double byte_count(const Element& element) {
  double bytes = 0;
  for (const Tensor& component : element) {
    bytes += static_cast<double>(component.byte_size());
    if (component.dtype() == DType::string)
      for (const std::string& text : component.flat<std::string>())
        bytes += static_cast<double>(text.size());
  }
  return bytes;
}

// Reports of every element, where someone gathers.
class StatsDataset final : public Dataset {
 public:
  StatsDataset(ElementSpec spec, DatasetRef input, std::string tag, Measured measured)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        tag_(std::move(tag)),
        measured_(measured) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input_->size(); }

 private:
  class Iterator final : public IteratorOf<StatsDataset> {
   public:
    Iterator(const StatsDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          name_(pipeline->settings().stats_tag.empty()
                    ? dataset.tag_
                    : str_cat(pipeline->settings().stats_tag, "::", dataset.tag_)) {}

    bool produce(Element& element) override {
      const std::int64_t begin = monotonic_nanos();
      if (!input_->next(element)) return false;
      ++given_;
      const auto& stats = pipeline()->settings().stats;
      if (stats == nullptr) return true;
      const double micros = static_cast<double>((monotonic_nanos() - begin) / 1000);
      stats->add_to_histogram(
          name_, dataset().measured_ == Measured::kMicros ? micros : byte_count(element), given_);
      return true;
    }
    bool would_wait() const override { return input_->would_wait(); }
    void save_stage(StateWriter& state) const override {
      state.put("input", input_);
      state.put("given", given_);
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", *input_);
      given_ = state.integer("given");
    }

   private:
    std::unique_ptr<DataIterator> input_;
    const std::string name_;
    std::int64_t given_ = 0;
  };
  const DatasetRef input_;
  const std::string tag_;
  const Measured measured_;
};

template <Measured measured>
std::shared_ptr<Dataset> stats_dataset(KernelCall& call) {
  return std::make_shared<StatsDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                        scalar_input<std::string>(call, 1, "tag"), measured);
}

// The prefix is for counters, which belong to the process that serves them, and there is none.
std::shared_ptr<Dataset> set_aggregator(KernelCall& call) {
  return std::make_shared<PassThroughDataset>(
      stated_spec(call.node()), dataset_input(call, 0),
      [stats = shared_input_as<StatsAggregator>(call, 1),
       tag = scalar_input<std::string>(call, 2, "tag")](PipelineSettings& settings) {
        settings.stats = stats;
        settings.stats_tag = tag;
      });
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<stats_dataset<Measured::kMicros>>(kLatencyStatsDataset),
    dataset_kernel<stats_dataset<Measured::kMicros>>(kExperimentalLatencyStatsDataset),
    dataset_kernel<stats_dataset<Measured::kBytes>>(kBytesProducedStatsDataset),
    dataset_kernel<stats_dataset<Measured::kBytes>>(kExperimentalBytesProducedStatsDataset),
    dataset_kernel<set_aggregator>(kSetStatsAggregatorDataset),
    dataset_kernel<set_aggregator>(kExperimentalSetStatsAggregatorDataset),
};

}  // namespace

extern const KernelTable kStatsDatasetCpu{kEntries};

}  // namespace rill
