#include <cstring>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/math/rows/row_sums.h"

namespace rill {

extern const OpDecl kAddN, kAccumulateNV2;

namespace {

constexpr std::size_t kAddNBlock = 1024;
constexpr std::size_t kMaxTogether = 16;  // inputs read side by side

struct AddNState : KernelState {
  BinaryRow add = nullptr;
  RowSums sums;
  WidenRow widen = nullptr;
  NarrowRow narrow = nullptr;
  std::size_t size = 0;
};

std::unique_ptr<KernelState> make_add_n_state(const KernelNode& node) {
  auto state = std::make_unique<AddNState>();
  const DType type = base_type(node.output_type(0));
  state->size = element_size(type);
  state->widen = widen_row(type);
  state->narrow = narrow_row(type);
  state->sums = find_row_sums(type);
  state->add = find_add_rows(state->widen ? DType::f32 : type).both;
  return state;
}

// Blocks of half or bfloat16 are summed as float and rounded once.
void sum_through_float(const KernelCall& call, const AddNState& state, std::size_t begin,
                       std::size_t count) {
  alignas(64) float sum[kAddNBlock], next[kAddNBlock];
  const auto at = [&](const Tensor& t) {
    return static_cast<std::byte*>(t.raw_data()) + begin * state.size;
  };
  state.widen(sum, at(call.input_tensor(0)), count);
  for (int i = 1; i < call.input_count(); ++i) {
    state.widen(next, at(call.input_tensor(i)), count);
    state.add(sum, sum, next, count);
  }
  state.narrow(at(call.output_tensor(0)), sum, count);
}

// Each block is summed into scratch first, because the output may be one of the inputs.
void sum_block(const KernelCall& call, const AddNState& state, std::size_t begin,
               std::size_t length) {
  alignas(64) std::byte sum[kAddNBlock * 16];
  const auto at = [&](const Tensor& t) {
    return static_cast<std::byte*>(t.raw_data()) + begin * state.size;
  };
  std::byte* out = at(call.output_tensor(0));
  if (call.input_count() == 1) {
    if (out != at(call.input_tensor(0)))
      std::memcpy(out, at(call.input_tensor(0)), length * state.size);
    return;
  }
  const auto count = static_cast<std::size_t>(call.input_count());
  if (state.sums.add_all != nullptr && count <= kMaxTogether) {
    const void* inputs[kMaxTogether];
    for (std::size_t i = 0; i < count; ++i) inputs[i] = at(call.input_tensor(static_cast<int>(i)));
    return state.sums.add_all(out, inputs, count, length);
  }
  const int last = call.input_count() - 1;
  const std::byte* partial = at(call.input_tensor(0));
  for (int i = 1; i <= last; ++i) {
    std::byte* into = i == last ? out : sum;
    state.add(into, partial, at(call.input_tensor(i)), length);
    partial = into;
  }
}

void run_add_n(KernelCall& call) {
  const auto& state = call.state<AddNState>();
  const auto n = static_cast<std::size_t>(call.output_tensor(0).element_count());
  const std::size_t blocks = (n + kAddNBlock - 1) / kAddNBlock;
  const double cost = 0.2 * kAddNBlock * call.input_count();
  call.parallel_for(blocks, cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t from = i * kAddNBlock, count = std::min(kAddNBlock, n - from);
      state.widen ? sum_through_float(call, state, from, count)
                  : sum_block(call, state, from, count);
    }
  });
}

constexpr KernelEntry add_n_entry(const OpDecl* op) {
  return {.op = op,
          .types = kNumberTypes,
          .run = run_add_n,
          .make_state = make_add_n_state,
          .expensive = false};
}

constexpr KernelEntry kEntries[] = {add_n_entry(&kAddN), add_n_entry(&kAccumulateNV2)};

}  // namespace

extern const KernelTable kAddNCpu{kEntries};

}  // namespace rill
