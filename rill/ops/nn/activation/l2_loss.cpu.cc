#include "rill/ops/math/reduce/reduce.h"

namespace rill {

extern const OpDecl kL2Loss;

namespace {

template <class T>
void halve(void* out, const void* acc, std::size_t n, std::int64_t) {
  for (std::size_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = static_cast<const T*>(acc)[i] / 2;
}

ReduceRows find_half_squares(DType type) {
  ReduceRows rows = find_square_sum_rows(type);
  rows.finish = type == DType::f32 ? halve<float> : halve<double>;
  return type == DType::f32 || type == DType::f64 ? rows : ReduceRows();
}

struct State : KernelState {
  explicit State(DType type) : squares("L2Loss", type, find_half_squares) {}
  Reduction squares;
};

std::unique_ptr<KernelState> make_l2_loss(const KernelNode& node) {
  return std::make_unique<State>(base_type(node.input_type(0)));
}

void l2_loss(KernelCall& call) {
  const Tensor& t = call.input_tensor(0);
  call.state<State>().squares.run(
      call, t, std::vector<bool>(static_cast<std::size_t>(t.rank()), true), call.output_tensor(0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kL2Loss, .types = kFloatTypes, .run = l2_loss, .make_state = make_l2_loss}};

}  // namespace

extern const KernelTable kL2LossCpu{kEntries};

}  // namespace rill
