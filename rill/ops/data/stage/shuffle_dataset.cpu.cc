#include <limits>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/handle_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/ops/data/stage/shuffle_buffer.h"

namespace rill {

extern const OpDecl kShuffleDataset, kShuffleDatasetV2, kShuffleAndRepeatDataset,
    kAnonymousRandomSeedGenerator, kDeleteRandomSeedGenerator;

namespace {

using GeneratorRef = std::shared_ptr<SeedGenerator>;

constexpr std::size_t kEpochsInBuffer = 3;  // more of them only take memory

// The input `count` times over, for ever if that is negative, each time in an order of its own.
class ShuffleDataset final : public UnaryDataset {
 public:
  ShuffleDataset(ElementSpec spec, DatasetRef input, std::int64_t buffer_size, std::int64_t count,
                 GeneratorRef generator)
      : UnaryDataset(std::move(spec), std::move(input)),
        buffer_size_(buffer_size),
        count_(count),
        generator_(std::move(generator)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t once = input()->size();
    if (count_ < 0 || once == kInfiniteSize) return once == 0 ? 0 : kInfiniteSize;
    if (once < 0) return once;
    return once > std::numeric_limits<std::int64_t>::max() / count_ ? kUnknownSize : once * count_;
  }

 private:
  class Iterator final : public IteratorOf<ShuffleDataset> {
   public:
    Iterator(const ShuffleDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input()->iterate(pipeline)),
          buffer_(dataset.buffer_size_),
          seeds_(dataset.generator_->next()),
          words_(seeds_) {}

    bool produce(Element& element) override {
      while (wants_more() && (!input_ended_ || begin_epoch()) && fill()) {
      }
      if (buffer_.empty()) return false;
      while (buffer_.drop_empty_epoch()) {
        seeds_ = dataset().generator_->next();
        words_ = RandomWords(seeds_);
      }
      buffer_.take(words_.next(), element);
      return true;
    }
    bool would_wait() const override { return !input_ended_ && input_->would_wait(); }
    void save_stage(StateWriter& state) const override;
    void restore_stage(const StateReader& state) override;

   private:
    bool wants_more() const {
      return !buffer_.full() && (buffer_.epoch_count() <= kEpochsInBuffer || buffer_.empty());
    }
    bool begin_epoch() {
      if (dataset().count_ >= 0 && epoch_ >= dataset().count_) return false;
      if (nothing_to_repeat_) return false;
      input_ = dataset().input()->iterate(pipeline());
      input_ended_ = false;
      buffer_.begin_epoch();
      return true;
    }
    // Takes one element, or ends the epoch; false when there will never be one.
    bool fill() {
      if (input_->next(fresh_)) {
        buffer_.add(fresh_);
        any_ = true;
        return true;
      }
      input_ended_ = true;
      ++epoch_;
      nothing_to_repeat_ = !any_ && dataset().count_ < 0;
      return !nothing_to_repeat_;
    }

    std::unique_ptr<DataIterator> input_;  // of this epoch; kept after its end, as others do
    bool input_ended_ = false;
    ShuffleBuffer buffer_;
    Seeds seeds_;
    RandomWords words_;
    std::int64_t epoch_ = 0;
    bool any_ = false, nothing_to_repeat_ = false;
    Element fresh_;
  };
  const std::int64_t buffer_size_, count_;
  const GeneratorRef generator_;
};

void ShuffleDataset::Iterator::save_stage(StateWriter& state) const {
  state.put("input", input_);
  state.put("input_ended", std::int64_t{input_ended_});
  buffer_.save(state.below("buffer"));
  state.put("seed", seeds_.first);
  state.put("seed2", seeds_.second);
  state.put("words", words_.position());
  state.put("generated", dataset().generator_->position());
  state.put("epoch", epoch_);
  state.put("any", std::int64_t{any_});
}

void ShuffleDataset::Iterator::restore_stage(const StateReader& state) {
  state.restore("input", input_);
  input_ended_ = state.integer("input_ended") != 0 || input_ == nullptr;
  buffer_.restore(state.below("buffer"));
  seeds_ = {state.bits("seed"), state.bits("seed2")};
  words_ = RandomWords(seeds_, state.integer("words"));
  dataset().generator_->go_to(state.integer("generated"));
  epoch_ = state.integer("epoch");
  any_ = state.integer("any") != 0;
  nothing_to_repeat_ = epoch_ > 0 && !any_ && dataset().count_ < 0;
}

std::int64_t buffer_size_input(const KernelCall& call) {
  const auto size = scalar_input<std::int64_t>(call, 1, "buffer_size");
  require(size > 0, "buffer_size must be greater than zero.");
  return size;
}

std::shared_ptr<Dataset> shuffle(KernelCall& call, std::int64_t count, GeneratorRef generator) {
  return std::make_shared<ShuffleDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                          buffer_size_input(call), count, std::move(generator));
}

std::shared_ptr<Dataset> shuffle_dataset(KernelCall& call) {
  const bool reshuffles = call.node().attr<bool>("reshuffle_each_iteration");
  return shuffle(call, 1, std::make_shared<SeedGenerator>(seeds_input(call, 2), !reshuffles));
}

std::shared_ptr<Dataset> shuffle_dataset_v2(KernelCall& call) {
  return shuffle(call, 1, shared_input_as<SeedGenerator>(call, 2));
}

std::shared_ptr<Dataset> shuffle_and_repeat_dataset(KernelCall& call) {
  const auto count = scalar_input<std::int64_t>(call, 4, "count");
  require(count > 0 || count == -1, "count must be greater than zero or equal to -1.");
  return shuffle(call, count, std::make_shared<SeedGenerator>(seeds_input(call, 2)));
}

void give_seed_generator(KernelCall& call) {
  give_anonymous(call, std::make_shared<SeedGenerator>(seeds_input(call, 0)));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<shuffle_dataset>(kShuffleDataset),
    dataset_kernel<shuffle_dataset_v2>(kShuffleDatasetV2),
    dataset_kernel<shuffle_and_repeat_dataset>(kShuffleAndRepeatDataset),
    quick_kernel(kAnonymousRandomSeedGenerator, give_seed_generator),
    quick_kernel(kDeleteRandomSeedGenerator, [](KernelCall&) {}),  // what nobody holds is gone
};

}  // namespace

extern const KernelTable kShuffleDatasetCpu{kEntries};

}  // namespace rill
