#include <chrono>
#include <condition_variable>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kAssertNextDataset, kExperimentalAssertNextDataset, kNonSerializableDataset,
    kExperimentalNonSerializableDataset, kSleepDataset, kExperimentalSleepDataset,
    kIgnoreErrorsDataset, kExperimentalIgnoreErrorsDataset;

namespace {

// The input as it is. What AssertNextDataset asserts is checked where a walk begins.
class SameDataset final : public UnaryDataset {
 public:
  using UnaryDataset::UnaryDataset;
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input()->size(); }

 private:
  class Iterator final : public UnaryIterator<SameDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override { return pull(element); }
  };
};

// Sleeps until the time is over or the pipeline is stopped.
void sleep_in(const Pipeline& pipeline, std::chrono::microseconds time) {
  std::mutex mutex;
  std::condition_variable stopped;
  const std::int64_t token = pipeline.cancellation().on_cancel([&] {
    const std::lock_guard lock(mutex);
    stopped.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, time, [&] { return pipeline.cancellation().cancelled(); });
  }
  pipeline.cancellation().forget(token);
  pipeline.check_running();
}

class SleepDataset final : public UnaryDataset {
 public:
  SleepDataset(ElementSpec spec, DatasetRef input, std::int64_t micros)
      : UnaryDataset(std::move(spec), std::move(input)), micros_(micros) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return input()->size(); }

 private:
  class Iterator final : public UnaryIterator<SleepDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      if (!ended()) sleep_in(*pipeline(), std::chrono::microseconds(dataset().micros_));
      return pull(element);
    }
    bool would_wait() const override { return true; }
  };
  const std::int64_t micros_;
};

class IgnoreErrorsDataset final : public UnaryDataset {
 public:
  using UnaryDataset::UnaryDataset;
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public UnaryIterator<IgnoreErrorsDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      while (true) {
        try {
          return pull(element);
        } catch (const Error&) {
          pipeline()->check_running();
        }
      }
    }
  };
};

template <class D>
std::shared_ptr<Dataset> plain(KernelCall& call) {
  return std::make_shared<D>(stated_spec(call.node()), dataset_input(call, 0));
}

std::shared_ptr<Dataset> assert_next(KernelCall& call) {
  require(call.input_tensor(1).rank() == 1, "`transformations` must be a vector.");
  return plain<SameDataset>(call);
}

std::shared_ptr<Dataset> sleep_dataset(KernelCall& call) {
  const auto micros = scalar_input<std::int64_t>(call, 1, "sleep_microseconds");
  require(micros >= 0, "`sleep_microseconds` must be >= 0");
  return std::make_shared<SleepDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                        std::min<std::int64_t>(micros, std::int64_t{1} << 50));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<assert_next>(kAssertNextDataset),
    dataset_kernel<assert_next>(kExperimentalAssertNextDataset),
    dataset_kernel<plain<SameDataset>>(kNonSerializableDataset),
    dataset_kernel<plain<SameDataset>>(kExperimentalNonSerializableDataset),
    dataset_kernel<sleep_dataset>(kSleepDataset),
    dataset_kernel<sleep_dataset>(kExperimentalSleepDataset),
    dataset_kernel<plain<IgnoreErrorsDataset>>(kIgnoreErrorsDataset),
    dataset_kernel<plain<IgnoreErrorsDataset>>(kExperimentalIgnoreErrorsDataset),
};

}  // namespace

extern const KernelTable kCheckingDatasetCpu{kEntries};

}  // namespace rill
