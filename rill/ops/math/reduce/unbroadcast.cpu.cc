#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/reduce/reduce.h"

namespace rill {

extern const OpDecl kUnbroadcast;

namespace {

struct UnbroadcastState final : KernelState {
  explicit UnbroadcastState(DType type) : sum("Sum", type, find_sum_rows) {}
  Reduction sum;
};

std::unique_ptr<KernelState> make_unbroadcast_state(const KernelNode& node) {
  return std::make_unique<UnbroadcastState>(node.input_type(0));
}

// For each dimension of x, whether it is one in `shape`.
std::vector<bool> repeated_dims(const Shape& x, const Shape& shape) {
  const int added = x.rank() - shape.rank();
  std::vector<bool> repeated(static_cast<std::size_t>(x.rank()), true);
  for (int d = 0; d < shape.rank(); ++d) {
    require(added >= 0 && (shape.dim(d) == 1 || shape.dim(d) == x.dim(d + added)),
            "a tensor of shape ", shape, " does not broadcast to ", x);
    repeated[static_cast<std::size_t>(d + added)] = shape.dim(d) == 1;
  }
  return repeated;
}

// Mostly nothing was repeated: then x goes on as it is.
void unbroadcast(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &sizes = call.input_tensor(1);
  require(sizes.rank() == 1, "shape must be a vector, not ", sizes.shape());
  const Dims dims = read_dims(sizes);
  if (std::ranges::equal(dims.span(), x.shape().dims())) return call.set_output(0, x);
  const Shape shape(dims.span());
  const std::vector<bool> repeated = repeated_dims(x.shape(), shape);
  if (shape.element_count() == x.element_count()) return call.set_output(0, x.reshaped(shape));
  call.state<UnbroadcastState>().sum.run(call, x, repeated, call.allocate_output(0, shape));
}

constexpr KernelEntry kEntries[] = {{.op = &kUnbroadcast,
                                     .types = kNumberTypes,
                                     .run = unbroadcast,
                                     .make_state = make_unbroadcast_state,
                                     .allocates = true}};

}  // namespace

extern const KernelTable kUnbroadcastCpu{kEntries};

}  // namespace rill
