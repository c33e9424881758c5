#include <unordered_set>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kUniqueDataset, kExperimentalUniqueDataset;

namespace {

// Elements compare by shape and bytes.
std::string key_of(const Tensor& value) {
  std::string key = str_cat(value.shape(), ":");
  if (value.dtype() == DType::string) {
    for (const std::string& text : value.flat<std::string>())
      key += str_cat(text.size(), ":", text);
  } else {
    key.append(static_cast<const char*>(value.raw_data()), value.byte_size());
  }
  return key;
}

class UniqueDataset final : public UnaryDataset {
 public:
  using UnaryDataset::UnaryDataset;
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public UnaryIterator<UniqueDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      while (pull(element))
        if (seen_.insert(key_of(element.at(0))).second) return true;
      seen_.clear();
      return false;
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      Tensor seen(DType::string, {static_cast<std::int64_t>(seen_.size())});
      std::ranges::copy(seen_, seen.flat<std::string>().begin());
      state.put("seen", seen);
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      const std::span<const std::string> seen = state.tensor("seen").flat<std::string>();
      seen_ = {seen.begin(), seen.end()};
    }

   private:
    std::unordered_set<std::string> seen_;
  };
};

std::shared_ptr<Dataset> unique_dataset(KernelCall& call) {
  DatasetRef input = dataset_input(call, 0);
  const std::vector<DType>& types = input->spec().types;
  require(types.size() == 1 &&
              (types[0] == DType::i32 || types[0] == DType::i64 || types[0] == DType::string),
          "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or "
          "`tf.string` component.");
  return std::make_shared<UniqueDataset>(stated_spec(call.node()), std::move(input));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<unique_dataset>(kUniqueDataset),
    dataset_kernel<unique_dataset>(kExperimentalUniqueDataset),
};

}  // namespace

extern const KernelTable kUniqueDatasetCpu{kEntries};

}  // namespace rill
