#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/row_buffer.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kBatchDataset, kBatchDatasetV2;

namespace {

class BatchDataset final : public UnaryDataset {
 public:
  BatchDataset(ElementSpec spec, DatasetRef input, std::int64_t batch_size, bool drop_remainder)
      : UnaryDataset(std::move(spec), std::move(input)),
        batch_size_(batch_size),
        drop_remainder_(drop_remainder) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    return batch_count(input()->size(), batch_size_, drop_remainder_);
  }

 private:
  class Iterator final : public UnaryIterator<BatchDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      const std::span<Element> rows =
          rows_.fill(dataset().batch_size_, [this](Element& row) { return pull(row); });
      const bool enough = !dataset().drop_remainder_ ||
                          static_cast<std::int64_t>(rows.size()) == dataset().batch_size_;
      if (!rows.empty() && enough) stack_rows(rows, element);
      rows_.clear();
      return !rows.empty() && enough;
    }

   private:
    RowBuffer rows_;
  };
  const std::int64_t batch_size_;
  const bool drop_remainder_;
};

std::shared_ptr<Dataset> batch_dataset(KernelCall& call, bool drop_remainder) {
  return std::make_shared<BatchDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                        batch_size_input(call, 1), drop_remainder);
}

std::shared_ptr<Dataset> batch_dataset_v1(KernelCall& call) { return batch_dataset(call, false); }

std::shared_ptr<Dataset> batch_dataset_v2(KernelCall& call) {
  return batch_dataset(call, scalar_input<bool>(call, 2, "drop_remainder"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<batch_dataset_v1>(kBatchDataset),
    dataset_kernel<batch_dataset_v2>(kBatchDatasetV2),
};

}  // namespace

extern const KernelTable kBatchDatasetCpu{kEntries};

}  // namespace rill
