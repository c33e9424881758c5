#include "rill/ops/batch/batch_room.h"
#include "rill/ops/batch/rows.h"
#include "rill/ops/functional/bound.h"

namespace rill {

extern const OpDecl kBatchOp, kBatchFunction;

namespace {

// What a node keeps: where its calls meet, and which function they share.
struct BatchState final : KernelState {
  explicit BatchState(const KernelNode& node)
      : options(batch_options(node)),
        container(node.attr<std::string>("container")),
        name(str_cat(node.attr<std::string>("shared_name").empty()
                         ? node.name
                         : node.attr<std::string>("shared_name"),
                     "/", node.attr<std::string>("batching_queue"))) {
    if (const auto f = node.attrs.find("f"); f != node.attrs.end())
      functions = std::make_unique<CalledFunctions>(node, std::vector{f->second.get<FuncName>()});
  }
  std::shared_ptr<BatchRoom> room(const KernelCall& call) const {
    auto found = call.step().resources->find_or_make<BatchRoom>(
        container, name, [&] { return std::make_shared<BatchRoom>(name, options); });
    require(found != nullptr && found->options() == options, "the batches of ", name,
            " are shared with other options");
    return found;
  }

  const BatchOptions options;
  const std::string container, name;
  std::unique_ptr<CalledFunctions> functions;
};
std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  return std::make_unique<BatchState>(node);
}

std::int64_t rows_of(const BatchCalls& calls) {
  std::int64_t rows = 0;
  for (const auto& call : calls) rows += call->rows();
  return rows;
}

Tensor joined(const BatchRoom& room, const BatchCalls& calls, std::size_t which) {
  std::vector<Tensor> parts;
  for (const auto& call : calls) {
    require(which < call->inputs.size(), "calls of one batch have different numbers of tensors");
    parts.push_back(call->inputs[which]);
  }
  return joined_rows(parts, room.filled_up(rows_of(calls)));
}

// --- Batch -------------------------------------------------------------------------------------

// The last call gets the batch and who had which rows, the others get none.
void hand_out_batch(const BatchRoom& room, const BatchCalls& calls) {
  BatchCall& taker = *calls.back();
  const auto inputs = static_cast<int>(taker.inputs.size());
  Tensor index(DType::i64, {static_cast<std::int64_t>(calls.size()), 3});
  std::int64_t* entry = index.data<std::int64_t>();
  std::int64_t start = 0;
  for (const auto& call : calls) {
    *entry++ = call->id;
    *entry++ = start;
    *entry++ = start += call->rows();
  }
  for (int i = 0; i < inputs; ++i)
    taker.call.set_output(i, joined(room, calls, static_cast<std::size_t>(i)));
  for (const auto& call : calls) {
    const bool takes = call.get() == &taker;
    for (int i = 0; i < inputs && !takes; ++i)
      call->call.set_output(i, no_rows(call->inputs[static_cast<std::size_t>(i)]));
    call->call.set_output(inputs, takes ? index : Tensor(DType::i64, {0, 3}));
    call->call.set_output(inputs + 1, Tensor::scalar(call->id));
  }
}

void process_batch(const std::shared_ptr<BatchRoom>& room, const BatchCalls& calls) {
  std::exception_ptr error;
  try {
    hand_out_batch(*room, calls);
  } catch (...) {
    error = std::current_exception();
  }
  room->finished();
  fail_all(calls, error);
}

void batch(KernelCall& call, Done done) {
  auto one = std::make_shared<BatchCall>(call, std::move(done), inputs_from(call, 0));
  call.state<BatchState>().room(call)->submit(one, process_batch);
}

// --- BatchFunction -----------------------------------------------------------------------------

// Every call gets its rows of every result; rows that filled the batch up belong to nobody.
void hand_out_results(const BatchRoom& room, const BatchCalls& calls,
                      const std::vector<Tensor>& results) {
  const std::int64_t rows = room.filled_up(rows_of(calls));
  for (const Tensor& result : results)
    require(result.rank() > 0 && result.dim(0) == rows,
            "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension "
            "sizes of the input tensors: ",
            result.shape(), " for ", rows, " rows");
  std::int64_t start = 0;
  for (const auto& call : calls) {
    for (std::size_t i = 0; i < results.size(); ++i)
      call->call.set_output(static_cast<int>(i),
                            results[i].slice(start, start + call->rows()).clone());
    start += call->rows();
  }
}

void call_function(const std::shared_ptr<BatchRoom>& room, const BatchCalls& calls) {
  KernelCall& leader = calls.back()->call;
  const std::size_t batched = calls.back()->inputs.size();
  try {
    std::vector<Tensor> arguments;
    for (std::size_t i = 0; i < batched; ++i) arguments.push_back(joined(*room, calls, i));
    for (Tensor& captured : inputs_from(leader, static_cast<int>(batched)))
      arguments.push_back(std::move(captured));
    BoundFunction& function = leader.state<BatchState>().functions->get(
        0, leader.step(), leader.node().input_types, leader.node().output_types);
    function.start(leader.step(), std::move(arguments),
                   [room, calls](std::exception_ptr error, const std::vector<Tensor>& results) {
                     try {
                       if (!error) hand_out_results(*room, calls, results);
                     } catch (...) {
                       error = std::current_exception();
                     }
                     room->finished();
                     fail_all(calls, error);
                   });
  } catch (...) {
    room->finished();
    fail_all(calls, std::current_exception());
  }
}

void batch_function(KernelCall& call, Done done) {
  const auto batched = call.node().attr<std::vector<DType>>("Tin").size();
  std::vector<Tensor> inputs = inputs_from(call, 0);
  inputs.resize(batched);
  auto one = std::make_shared<BatchCall>(call, std::move(done), std::move(inputs));
  call.state<BatchState>().room(call)->submit(one, call_function);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBatchOp, .run_async = batch, .make_state = make_state, .allocates = true},
    {.op = &kBatchFunction,
     .run_async = batch_function,
     .make_state = make_state,
     .allocates = true},
};

}  // namespace

extern const KernelTable kBatchCpu{kEntries};

}  // namespace rill
