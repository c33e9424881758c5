#include <algorithm>

#include "rill/base/clock.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kChooseFastestBranchDataset;

namespace {

// What the branches take turns to read.
struct SharedInput {
  std::unique_ptr<DataIterator> iterator;
};

// Up to `limit` of the elements that are left of a shared input; negative: all.
class RestOfInput final : public Dataset {
 public:
  RestOfInput(ElementSpec spec, std::shared_ptr<SharedInput> input, std::int64_t limit)
      : Dataset(std::move(spec)), input_(std::move(input)), limit_(limit) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<RestOfInput> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      const RestOfInput& rest = dataset();
      if (rest.limit_ >= 0 && taken_ >= rest.limit_) return false;
      ++taken_;
      return rest.input_->iterator->next(element);
    }
    bool would_wait() const override { return dataset().input_->iterator->would_wait(); }
    // The input itself is saved by who shares it out.
    void save_stage(StateWriter& state) const override { state.put("taken", taken_); }
    void restore_stage(const StateReader& state) override { taken_ = state.integer("taken"); }

   private:
    std::int64_t taken_ = 0;
  };
  const std::shared_ptr<SharedInput> input_;
  const std::int64_t limit_;
};

class ChooseFastestBranchDataset final : public Dataset {
 public:
  ChooseFastestBranchDataset(ElementSpec spec, DatasetRef input,
                             std::vector<FunctionSource> branches, std::int64_t per_branch)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        branches_(std::move(branches)),
        per_branch_(per_branch) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<ChooseFastestBranchDataset> {
   public:
    Iterator(const ChooseFastestBranchDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), input_(std::make_shared<SharedInput>()) {
      input_->iterator = dataset.input_->iterate(pipeline);
      for (const FunctionSource& branch : dataset.branches_)
        branches_.emplace_back(*pipeline, branch);
    }

    bool produce(Element& element) override {
      while (true) {
        if (walk_ == nullptr) open();
        const std::int64_t begin = monotonic_nanos();
        const bool more = walk_->next(element);
        spent_ += monotonic_nanos() - begin;
        if (more) return true;
        if (tried() >= branches_.size()) return false;
        nanos_.push_back(spent_);
        walk_.reset();
      }
    }
    bool would_wait() const override { return true; }

    void save_stage(StateWriter& state) const override {
      state.put("input", input_->iterator);
      state.put("tried", static_cast<std::int64_t>(tried()));
      for (std::size_t i = 0; i < tried(); ++i) state.put(str_cat("nanos", i), nanos_[i]);
      state.put("walk", walk_);
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", *input_->iterator);
      nanos_.clear();
      const auto most = static_cast<std::int64_t>(branches_.size());
      for (std::int64_t i = 0, count = state.integer("tried", most); i < count; ++i)
        nanos_.push_back(state.integer(str_cat("nanos", i)));
      open();
      state.restore("walk", walk_);
    }

   private:
    std::size_t tried() const { return nanos_.size(); }
    // Each branch has its turn; then the fastest has the rest.
    void open() {
      const bool trying = tried() < branches_.size();
      const std::size_t which =
          trying ? tried()
                 : static_cast<std::size_t>(std::ranges::min_element(nanos_) - nanos_.begin());
      const auto rest = std::make_shared<RestOfInput>(dataset().input_->spec(), input_,
                                                      trying ? dataset().per_branch_ : -1);
      Element results = branches_[which]({dataset_tensor(rest)});
      require(results.size() == 1, "a branch must return a dataset");
      walk_ = dataset_in(results[0])->iterate(pipeline());
      spent_ = 0;
    }

    const std::shared_ptr<SharedInput> input_;
    std::vector<DataFunction> branches_;
    std::vector<std::int64_t> nanos_;  // of those that have had their turn
    std::int64_t spent_ = 0;
    std::unique_ptr<DataIterator> walk_;
  };
  const DatasetRef input_;
  const std::vector<FunctionSource> branches_;
  const std::int64_t per_branch_;
};

std::shared_ptr<Dataset> choose_fastest_branch(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto numerator = scalar_input<std::int64_t>(call, 1, "ratio_numerator");
  const auto denominator = scalar_input<std::int64_t>(call, 2, "ratio_denominator");
  const auto per_branch = node.attr<std::int64_t>("num_elements_per_branch");
  require(numerator > 0, "`ratio_numerator` must be greater than zero.");
  require(denominator > 0, "`ratio_denominator` must be greater than zero.");
  require(per_branch % denominator == 0,
          "`num_elements_per_branch` must be divisible by `ratio_denominator`.");
  std::int64_t inputs = 0;
  require(!__builtin_mul_overflow(per_branch / denominator, numerator, &inputs),
          "`ratio_numerator` ", numerator, " is too large");
  const auto& functions = node.attr<std::vector<FuncName>>("branches");
  const auto& lengths = node.attr<std::vector<std::int64_t>>("other_arguments_lengths");
  require(functions.size() == lengths.size(),
          "`other_arguments_lengths` must have as many elements as there are branches");
  std::vector<FunctionSource> branches;
  int first = 3;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    FunctionSource branch{functions[i], {}};
    require(lengths[i] <= call.input_count() - first,
            "`other_arguments_lengths` asks for more than ", "the ", call.input_count() - 3,
            " arguments that there are");
    for (std::int64_t k = 0; k < lengths[i]; ++k)
      branch.captured.push_back(call.input_tensor(first++));
    branches.push_back(std::move(branch));
  }
  return std::make_shared<ChooseFastestBranchDataset>(stated_spec(node), dataset_input(call, 0),
                                                      std::move(branches), inputs);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<choose_fastest_branch>(kChooseFastestBranchDataset),
};

}  // namespace

extern const KernelTable kChooseFastestBranchDatasetCpu{kEntries};

}  // namespace rill
