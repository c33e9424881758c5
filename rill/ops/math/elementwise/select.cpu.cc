#include <string>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/select_rows.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/strided.h"
#include "rill/tensor/variant.h"

namespace rill {

extern const OpDecl kSelect, kSelectV2;

namespace {

template <class T>
void select_objects(std::byte* const* at, const std::int64_t* steps, std::size_t n) {
  auto* out = reinterpret_cast<T*>(at[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::int64_t>(i);
    const int from = *reinterpret_cast<const bool*>(at[1] + k * steps[1]) ? 2 : 3;
    out[i] = *reinterpret_cast<const T*>(at[from] + k * steps[from]);
  }
}

SelectRow find_row(DType type) {
  if (type == DType::string) return select_objects<std::string>;
  if (type == DType::resource) return select_objects<ResourceHandle>;
  if (type == DType::variant) return select_objects<Variant>;
  return find_select_row(element_size(type));
}

struct SelectState : KernelState {
  SelectRow row = nullptr;
  std::size_t size = 0;
};

std::unique_ptr<KernelState> make_select_state(const KernelNode& node) {
  auto state = std::make_unique<SelectState>();
  state->row = find_row(base_type(node.output_type(0)));
  state->size = element_size(base_type(node.output_type(0)));
  return state;
}

void select(const KernelCall& call, const Shape& condition_shape) {
  const auto& state = call.state<SelectState>();
  const Tensor& out = call.output_tensor(0);
  const auto view = [&](int input) {
    const Tensor& t = call.input_tensor(input);
    return broadcast_view(t.raw_data(), t.shape(), out.shape(), state.size);
  };
  const RowLoop loop{
      dense_view(out.raw_data(), out.shape(), state.size),
      broadcast_view(call.input_tensor(0).raw_data(), condition_shape, out.shape(), sizeof(bool)),
      view(1), view(2)};
  const std::int64_t steps[] = {loop.step(0), loop.step(1), loop.step(2), loop.step(3)};
  const double cost = 5 + static_cast<double>(std::min(loop.row_length(), RowLoop::kPieceLength));
  call.parallel_for(loop.piece_count(), cost, [&](std::size_t begin, std::size_t end) {
    loop.run(begin, end, [&](std::byte* const* at, std::size_t n) { state.row(at, steps, n); });
  });
}

// A vector condition stands for rows: its shape gains ones at the end.
void run_select(KernelCall& call) {
  Shape shape = call.input_tensor(0).shape();
  const int rank = call.output_tensor(0).rank();
  if (shape.rank() == 1)
    while (shape.rank() < rank) shape.add_dim(1);
  select(call, shape);
}

void run_select_v2(KernelCall& call) { select(call, call.input_tensor(0).shape()); }

constexpr KernelEntry kEntries[] = {
    {.op = &kSelect, .run = run_select, .make_state = make_select_state, .expensive = false},
    {.op = &kSelectV2, .run = run_select_v2, .make_state = make_select_state, .expensive = false},
};

}  // namespace

extern const KernelTable kSelectCpu{kEntries};

}  // namespace rill
