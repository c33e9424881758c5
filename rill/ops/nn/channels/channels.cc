#include "rill/ops/nn/channels/channels.h"

#include <algorithm>
#include <vector>

#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

void turn_channels(const KernelCall& call, const Tensor& from, const Tensor& to, bool to_last) {
  const Dims f = row_major_strides(from.shape()), t = row_major_strides(to.shape());
  const int last = from.rank() - 1;
  StridedCopy copy;
  copy.add_dim(to.dim(0), t[0], f[0]);
  if (!to_last) copy.add_dim(to.dim(1), t[1], f[last]);
  for (int d = 1; d < last; ++d)
    to_last ? copy.add_dim(to.dim(d), t[d], f[d + 1]) : copy.add_dim(to.dim(d + 1), t[d + 1], f[d]);
  if (to_last) copy.add_dim(to.dim(last), t[last], f[1]);
  if (from.element_count() > 0)
    strided_copy(call, from.dtype(), to.raw_data(), from.raw_data(), copy);
}

Shape channels_last(const Shape& shape) {
  std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  return Shape(dims);
}

}  // namespace rill
