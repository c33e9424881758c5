#include <limits>

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kRangeDataset;

namespace {

// How many steps there are from start to stop; of more than fit a number, the most that do.
std::int64_t step_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  const __int128 distance = static_cast<__int128>(stop) - start;
  if (distance == 0 || (distance > 0) != (step > 0)) return 0;
  const __int128 count = (distance + step - (step > 0 ? 1 : -1)) / step;
  return static_cast<std::int64_t>(
      std::min<__int128>(count, std::numeric_limits<std::int64_t>::max()));
}

class RangeDataset final : public Dataset {
 public:
  RangeDataset(std::int64_t start, std::int64_t stop, std::int64_t step)
      : Dataset({{DType::i64}, {PartialShape::scalar()}}),
        start_(start),
        step_(step),
        count_(step_count(start, stop, step)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return count_; }

 private:
  class Iterator final : public IteratorOf<RangeDataset> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      element.clear();
      if (next_ >= dataset().count_) return false;
      element.push_back(Tensor::scalar(static_cast<std::int64_t>(
          dataset().start_ + static_cast<__int128>(next_) * dataset().step_)));
      ++next_;
      return true;
    }
    std::int64_t skip(std::int64_t count) override {
      const std::int64_t skipped = std::clamp<std::int64_t>(count, 0, dataset().count_ - next_);
      next_ += skipped;
      return skipped;
    }
    void save_stage(StateWriter& state) const override { state.put("next", next_); }
    void restore_stage(const StateReader& state) override {
      next_ = std::clamp<std::int64_t>(state.integer("next"), 0, dataset().count_);
    }

   private:
    std::int64_t next_ = 0;
  };
  const std::int64_t start_, step_, count_;
};

std::shared_ptr<Dataset> range_dataset(KernelCall& call) {
  const auto step = scalar_input<std::int64_t>(call, 2, "step");
  require(step != 0, "step must be a non-zero integer.");
  const auto& types = call.node().attr<std::vector<DType>>("output_types");
  require(types.size() == 1 && types[0] == DType::i64,
          "a range of numbers has one component, of type int64");
  return std::make_shared<RangeDataset>(scalar_input<std::int64_t>(call, 0, "start"),
                                        scalar_input<std::int64_t>(call, 1, "stop"), step);
}

constexpr KernelEntry kEntries[] = {dataset_kernel<range_dataset>(kRangeDataset)};

}  // namespace

extern const KernelTable kRangeDatasetCpu{kEntries};

}  // namespace rill
