#include "rill/base/background.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kGeneratorDataset;

namespace {

// What has to be said goodbye to when a generator is not used any more, even though its pipeline is
// stopped or its session closes: that is the latest moment, since later nothing can be called.
class Farewell {
 public:
  Farewell(const Pipeline& pipeline, const FunctionSource& finalize, Element state)
      : calls_(pipeline.shared_calls()), finalize_(finalize), state_(std::move(state)) {}

  // In this thread, where the end came by itself. Throws what the function throws.
  void say() {
    if (!said_.exchange(true)) DataFunction(*calls_, finalize_)(std::move(state_));
  }
  // In the background, where nobody wants to know.
  void say_later() {
    if (said_.exchange(true)) return;
    try {
      run_in_background([last = calls_->last_calls(), finalize = finalize_, state = state_] {
        try {
          DataFunction(*last, finalize)(state);
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
      });
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the session is gone
    }
  }

 private:
  const std::shared_ptr<BackgroundCalls> calls_;
  const FunctionSource finalize_;
  Element state_;
  std::atomic<bool> said_{false};
};

class GeneratorDataset final : public Dataset {
 public:
  GeneratorDataset(ElementSpec spec, FunctionSource init, FunctionSource next,
                   FunctionSource finalize)
      : Dataset(std::move(spec)),
        init_(std::move(init)),
        next_(std::move(next)),
        finalize_(std::move(finalize)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<GeneratorDataset> {
   public:
    Iterator(const GeneratorDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          init_(pipeline->calls(), dataset.init_),
          next_(pipeline->calls(), dataset.next_) {}
    ~Iterator() override {
      if (farewell_ == nullptr) return;
      pipeline()->cancellation().forget(token_);
      farewell_->say_later();
    }

    bool produce(Element& element) override {
      if (ended_) return false;
      if (farewell_ == nullptr) begin();
      while (to_skip_ > 0 && take(element)) --to_skip_;
      return !ended_ && take(element);
    }
    bool would_wait() const override { return true; }  // for the program
    // What a generator holds cannot be kept, so a restored one goes past what was given before.
    void save_stage(StateWriter& state) const override {
      state.put("given", given_ + to_skip_);
      state.put("ended", std::int64_t{ended_});
    }
    void restore_stage(const StateReader& state) override {
      to_skip_ = state.integer("given");
      ended_ = state.integer("ended") != 0;
    }

   private:
    void begin() {
      state_ = init_({});
      farewell_ = std::make_shared<Farewell>(*pipeline(), dataset().finalize_, state_);
      token_ =
          pipeline()->cancellation().on_cancel([farewell = farewell_] { farewell->say_later(); });
    }

    bool take(Element& element) {
      arguments_ = state_;
      if (call_or_end(next_, arguments_, element, false)) {
        ++given_;
        return true;
      }
      ended_ = true;
      farewell_->say();
      return false;
    }

    const DataFunction init_, next_;
    Element state_, arguments_;
    std::shared_ptr<Farewell> farewell_;  // null before the first element
    std::int64_t token_ = 0, given_ = 0, to_skip_ = 0;
    bool ended_ = false;
  };
  const FunctionSource init_, next_, finalize_;
};

std::shared_ptr<Dataset> generator_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int init = list_length(node, "Tinit_func_args"),
            next = list_length(node, "Tnext_func_args");
  return std::make_shared<GeneratorDataset>(
      stated_spec(node), function_input(call, "init_func", 0, init),
      function_input(call, "next_func", init, next),
      function_input(call, "finalize_func", init + next, list_length(node, "Tfinalize_func_args")));
}

constexpr KernelEntry kEntries[] = {
    on_any_device(dataset_kernel<generator_dataset>(kGeneratorDataset),
                  "init_func_other_args,next_func_other_args,finalize_func_other_args,handle")};

}  // namespace

extern const KernelTable kGeneratorDatasetCpu{kEntries};

}  // namespace rill
