#include <map>

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/function/group_key.h"

namespace rill {

extern const OpDecl kExperimentalGroupByReducerDataset, kGroupByReducerDataset;

namespace {

struct ReducerSource {
  FunctionSource key, init, reduce, finalize;
};

class GroupByReducerDataset final : public Dataset {
 public:
  GroupByReducerDataset(ElementSpec spec, DatasetRef input, ReducerSource functions)
      : Dataset(std::move(spec)), input_(std::move(input)), functions_(std::move(functions)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<GroupByReducerDataset> {
   public:
    Iterator(const GroupByReducerDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          key_(*pipeline, dataset.functions_.key),
          init_(*pipeline, dataset.functions_.init),
          reduce_(*pipeline, dataset.functions_.reduce),
          finalize_(*pipeline, dataset.functions_.finalize) {}

    // Groups leave in the order of their keys.
    bool produce(Element& element) override {
      Element row;
      while (input_ != nullptr && input_->next(row)) add(std::move(row));
      input_.reset();
      if (states_.empty()) return false;
      const Element state = std::move(states_.begin()->second);
      states_.erase(states_.begin());
      element = finalize_(state);
      return true;
    }
    bool would_wait() const override { return true; }

    void save_stage(StateWriter& state) const override {
      state.put("input", input_);
      state.put("groups", static_cast<std::int64_t>(states_.size()));
      std::int64_t i = 0;
      for (const auto& [key, group] : states_) {
        state.put(str_cat("key", i), key);
        state.put(str_cat("state", i++), group);
      }
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", input_);
      states_.clear();
      const std::int64_t groups = state.integer("groups");
      for (std::int64_t i = 0; i < groups; ++i)
        states_[state.bits(str_cat("key", i))] = state.element(str_cat("state", i));
    }

   private:
    void add(Element row) {
      const std::int64_t key = group_key(key_, row);
      auto group = states_.find(key);
      if (group == states_.end()) group = states_.emplace(key, init_({Tensor::scalar(key)})).first;
      Element arguments = group->second;
      arguments.insert(arguments.end(), row.begin(), row.end());
      group->second = reduce_(std::move(arguments));
    }

    std::unique_ptr<DataIterator> input_;
    const DataFunction key_, init_, reduce_, finalize_;
    std::map<std::int64_t, Element> states_;
  };
  const DatasetRef input_;
  const ReducerSource functions_;
};

std::shared_ptr<Dataset> group_by_reducer_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  int first = 1;
  const auto function = [&](const char* name, const char* types) {
    const int count = list_length(node, types);
    first += count;
    return function_input(call, name, first - count, count);
  };
  ReducerSource functions;
  functions.key = function("key_func", "Tkey_func_other_arguments");
  functions.init = function("init_func", "Tinit_func_other_arguments");
  functions.reduce = function("reduce_func", "Treduce_func_other_arguments");
  functions.finalize = function("finalize_func", "Tfinalize_func_other_arguments");
  return std::make_shared<GroupByReducerDataset>(stated_spec(node), dataset_input(call, 0),
                                                 std::move(functions));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<group_by_reducer_dataset>(kGroupByReducerDataset),
    dataset_kernel<group_by_reducer_dataset>(kExperimentalGroupByReducerDataset),
};

}  // namespace

extern const KernelTable kGroupByReducerDatasetCpu{kEntries};

}  // namespace rill
