#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/ops/data/files/file_sharding.h"
#include "rill/ops/data/files/shard_dataset.h"
#include "rill/ops/data/stage/pass_through_dataset.h"

namespace rill {

extern const OpDecl kRebatchDataset, kExperimentalRebatchDataset, kAutoShardDataset,
    kExperimentalAutoShardDataset;

namespace {

// Every batch in `parts` of nearly the same size, the last ones maybe empty.
class RebatchDataset final : public UnaryDataset {
 public:
  RebatchDataset(ElementSpec spec, DatasetRef input, std::int64_t parts)
      : UnaryDataset(std::move(spec), std::move(input)), parts_(parts) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public UnaryIterator<RebatchDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      if (part_ == dataset().parts_ || batch_.empty()) {
        batch_.clear();
        if (!pull(batch_)) return false;
        part_ = 0;
        check_batch();
      }
      const std::int64_t rows = batch_[0].dim(0);
      const std::int64_t size = rows / dataset().parts_ + (rows % dataset().parts_ != 0 ? 1 : 0);
      const std::int64_t begin = std::min(rows, size * part_), end = std::min(rows, begin + size);
      element.clear();
      for (const Tensor& component : batch_) element.push_back(component.slice(begin, end));
      ++part_;
      return true;
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      state.put("part", part_);
      state.put("batch", batch_);
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      part_ = state.integer("part");
      batch_ = state.element("batch");
      check_batch();
      require(part_ >= 0 && part_ <= dataset().parts_,
              "the saved position of the iterator is part ", part_, " of ", dataset().parts_);
    }

   private:
    void check_batch() {
      for (const Tensor& component : batch_)
        if (component.rank() == 0 || component.dim(0) != batch_[0].dim(0)) {
          batch_.clear();
          raise(Code::kInvalidArgument,
                "Cannot rebatch dataset: Not every component of its elements is a batch of the "
                "same size.");
        }
    }

    Element batch_;
    std::int64_t part_ = 0;
  };
  const std::int64_t parts_;
};

std::shared_ptr<Dataset> rebatch_dataset(KernelCall& call) {
  const auto replicas = scalar_input<std::int64_t>(call, 1, "num_replicas");
  require(replicas > 0, "num_replicas must be positive, but is ", replicas);
  return std::make_shared<RebatchDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                          replicas);
}

// File by file where the input begins with files, else element by element.
std::shared_ptr<Dataset> auto_shard_dataset(KernelCall& call) {
  const auto workers = scalar_input<std::int64_t>(call, 1, "num_workers");
  const auto index = scalar_input<std::int64_t>(call, 2, "index");
  require(workers > 0, "num_workers must be >= 1, currently ", workers);
  require(index >= 0 && index < workers, "index must be >= 0 and < ", workers, ", currently ",
          index);
  const DatasetRef input = dataset_input(call, 0);
  const std::string library = make_background_calls(call.step())->function_library();
  if (DatasetRef by_file = sharded_by_file(input, workers, index, call, library))
    return std::make_shared<PassThroughDataset>(stated_spec(call.node()), std::move(by_file));
  return std::make_shared<ShardDataset>(stated_spec(call.node()), input, workers, index, false);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<rebatch_dataset>(kRebatchDataset),
    dataset_kernel<rebatch_dataset>(kExperimentalRebatchDataset),
    dataset_kernel<auto_shard_dataset>(kAutoShardDataset),
    dataset_kernel<auto_shard_dataset>(kExperimentalAutoShardDataset),
};

}  // namespace

extern const KernelTable kShardingDatasetCpu{kEntries};

}  // namespace rill
