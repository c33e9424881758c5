#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/step_pipeline.h"

namespace rill {

extern const OpDecl kReduceDataset;

namespace {

void check_state(const Element& state, const std::vector<DType>& types) {
  require(state.size() == types.size(), "the function of a reduction gives ", state.size(),
          " results, but the state has ", types.size(), " components");
  for (std::size_t i = 0; i < state.size(); ++i)
    require(state[i].dtype() == types[i], "Got wrong type for reduce_func return value ", i,
            " (expected ", types[i], ", got ", state[i].dtype(), ").");
}

void reduce(KernelCall& call, const PipelineRef& pipeline) {
  const KernelNode& node = call.node();
  const int states = list_length(node, "Tstate");
  const auto& types = node.attr<std::vector<DType>>("output_types");
  const DataFunction function(
      *pipeline, function_input(call, "f", 1 + states, list_length(node, "Targuments")));
  const auto input = dataset_input(call, 0)->iterate(pipeline);
  Element state, element, results;
  for (int i = 1; i <= states; ++i) state.push_back(call.input_tensor(i));
  while (input->next(element)) {
    state.insert(state.end(), std::move_iterator(element.begin()),
                 std::move_iterator(element.end()));
    call_or_end(function, state, results, true);
    check_state(results, types);
    state.swap(results);
  }
  check_state(state, types);
  for (std::size_t i = 0; i < state.size(); ++i)
    call.set_output(static_cast<int>(i), std::move(state[i]));
}

void reduce_dataset(KernelCall& call, Done done) {
  run_with_pipeline(call, std::move(done), reduce);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kReduceDataset, .run_async = reduce_dataset, .allocates = true},
};

}  // namespace

extern const KernelTable kReduceDatasetCpu{kEntries};

}  // namespace rill
