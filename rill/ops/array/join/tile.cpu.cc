#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/math/reduce/reduce.h"

namespace rill {

extern const OpDecl kTile, kTileGrad;

namespace {

// Each dimension becomes two: the repetitions, which do not move in the input, and the original.
void tile(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy copy;
  for (int d = 0; d < input.rank(); ++d) {
    const std::int64_t repetitions = output.dim(d) / input.dim(d);
    if (repetitions > 1) copy.add_dim(repetitions, to[d] * input.dim(d), 0);
    copy.add_dim(input.dim(d), to[d], from[d]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), input.raw_data(), copy);
}

struct SumState final : KernelState {
  explicit SumState(DType type) : sum("TileGrad", type, find_sum_rows) {}
  Reduction sum;
};

std::unique_ptr<KernelState> make_sum(const KernelNode& node) {
  return std::make_unique<SumState>(base_type(node.input_type(0)));
}

// Each dimension is seen as two, the repetitions and the original; the former are summed.
void tile_grad(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  std::vector<std::int64_t> dims;
  std::vector<bool> summed;
  for (int d = 0; d < output.rank(); ++d) {
    dims.insert(dims.end(), {input.dim(d) / output.dim(d), output.dim(d)});
    summed.insert(summed.end(), {true, false});
  }
  call.state<SumState>().sum.run(call, input.reshaped(Shape(dims)), summed, output);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kTile, .run = tile},
    {.op = &kTileGrad, .types = kNumberTypes, .run = tile_grad, .make_state = make_sum},
};

}  // namespace

extern const KernelTable kTileCpu{kEntries};

}  // namespace rill
