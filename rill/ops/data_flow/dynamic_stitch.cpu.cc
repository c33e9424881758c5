#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data_flow/row_shapes.h"

namespace rill {

extern const OpDecl kDynamicStitch, kParallelDynamicStitch;

namespace {

// Row `i` of what `t` consists of, `elements` elements each.
std::byte* row_at(const Tensor& t, std::size_t elements, std::int64_t i) {
  return static_cast<std::byte*>(t.raw_data()) +
         static_cast<std::size_t>(i) * elements * element_size(t.dtype());
}

// The shape of one row, which all data agree on.
Shape check_data(const KernelCall& call, int count) {
  const Tensor &indices0 = call.input_tensor(0), &data0 = call.input_tensor(count);
  Shape row;
  for (int i = 0; i < count; ++i) {
    const Tensor &indices = call.input_tensor(i), &data = call.input_tensor(count + i);
    require(starts_with(data.shape(), indices.shape()), "data[", i, "].shape = ", data.shape(),
            " does not start with indices[", i, "].shape = ", indices.shape());
    const Shape rest = rest_of(data.shape(), indices.rank());
    if (i == 0) row = rest;
    require(rest == row, "Need data[0].shape[", indices0.rank(), ":] = data[", i, "].shape[",
            indices.rank(), ":], got data[0].shape = ", data0.shape(), ", data[", i,
            "].shape = ", data.shape(), ", indices[0].shape = ", indices0.shape(), ", indices[", i,
            "].shape = ", indices.shape());
  }
  return row;
}

std::int64_t length_of(const KernelCall& call, int count) {
  std::int64_t highest = -1;
  for (int i = 0; i < count; ++i) {
    const auto indices = call.input<std::int32_t>(i);
    for (std::size_t at = 0; at < indices.size(); ++at) {
      require(indices[at] >= 0, "indices[", at, "] is out of range");
      highest = std::max<std::int64_t>(highest, indices[at]);
    }
  }
  return highest + 1;
}

// Places that no index names are zero, or empty.
void stitch(KernelCall& call) {
  const int count = call.input_count() / 2;
  const Shape row = check_data(call, count);
  const Tensor& out = call.allocate_output(0, rows_shape(length_of(call, count), row));
  if (is_trivial(out.dtype()) && out.byte_size() > 0)
    std::memset(out.raw_data(), 0, out.byte_size());
  const auto elements = static_cast<std::size_t>(row.element_count());
  for (int i = 0; i < count; ++i) {
    std::int64_t from = 0;
    for (const std::int32_t to : call.input<std::int32_t>(i))
      copy_elements(out.dtype(), row_at(out, elements, to),
                    row_at(call.input_tensor(count + i), elements, from++), elements);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDynamicStitch, .run = stitch, .allocates = true},
    {.op = &kParallelDynamicStitch, .run = stitch, .allocates = true},
};

}  // namespace

extern const KernelTable kDynamicStitchCpu{kEntries};

}  // namespace rill
