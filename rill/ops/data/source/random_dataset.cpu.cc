#include <bit>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/random_words.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kRandomDataset, kExperimentalRandomDataset, kSamplingDataset;

namespace {

class RandomDataset final : public Dataset {
 public:
  RandomDataset(ElementSpec spec, Seeds seeds) : Dataset(std::move(spec)), seeds_(seeds) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return kInfiniteSize; }

 private:
  class Iterator final : public IteratorOf<RandomDataset> {
   public:
    Iterator(const RandomDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), words_(dataset.seeds_) {}
    bool produce(Element& element) override {
      element.assign(1, Tensor::scalar(std::int64_t{words_.next()}));
      return true;
    }
    void save_stage(StateWriter& state) const override { state.put("words", words_.position()); }
    void restore_stage(const StateReader& state) override {
      words_ = RandomWords(dataset().seeds_, state.integer("words"));
    }

   private:
    RandomWords words_;
  };
  const Seeds seeds_;
};

// In [0, 1), of the word's lower bits, as random numbers of graphs are made.
float unit_float(std::uint32_t word) {
  return std::bit_cast<float>(0x3f800000U | (word & 0x7fffffU)) - 1.0F;
}

class SamplingDataset final : public UnaryDataset {
 public:
  SamplingDataset(ElementSpec spec, DatasetRef input, float rate, Seeds seeds)
      : UnaryDataset(std::move(spec), std::move(input)), rate_(rate), seeds_(seeds) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public UnaryIterator<SamplingDataset> {
   public:
    Iterator(const SamplingDataset& dataset, const PipelineRef& pipeline)
        : UnaryIterator(dataset, pipeline), words_(dataset.seeds_) {}
    bool produce(Element& element) override {
      while (pull(element))
        if (unit_float(words_.next()) < dataset().rate_) return true;
      return false;
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      state.put("words", words_.position());
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      words_ = RandomWords(dataset().seeds_, state.integer("words"));
    }

   private:
    RandomWords words_;
  };
  const float rate_;
  const Seeds seeds_;
};

std::shared_ptr<Dataset> random_dataset(KernelCall& call) {
  ElementSpec spec = stated_spec(call.node());
  require(spec.types.size() == 1 && spec.types[0] == DType::i64,
          "random numbers have one component, of type int64");
  return std::make_shared<RandomDataset>(std::move(spec), seeds_input(call, 0));
}

std::shared_ptr<Dataset> sampling_dataset(KernelCall& call) {
  return std::make_shared<SamplingDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                           scalar_input<float>(call, 1, "rate"),
                                           seeds_input(call, 2));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<random_dataset>(kRandomDataset),
    dataset_kernel<random_dataset>(kExperimentalRandomDataset),
    dataset_kernel<sampling_dataset>(kSamplingDataset),
};

}  // namespace

extern const KernelTable kRandomDatasetCpu{kEntries};

}  // namespace rill
