#include "rill/ops/queue/tuples.h"

#include <algorithm>

#include "rill/ops/update/variable_input.h"

namespace rill {
namespace {

// Copies a dense block into the corner of a larger one of equal rank.
void copy_into_corner(DType dtype, char* dst, std::span<const std::int64_t> dst_dims,
                      const char* src, std::span<const std::int64_t> src_dims) {
  const std::size_t size = element_size(dtype);
  if (src_dims.empty()) return copy_elements(dtype, dst, src, 1);
  if (src_dims.size() == 1)
    return copy_elements(dtype, dst, src, static_cast<std::size_t>(src_dims[0]));
  const auto product = [&](std::span<const std::int64_t> dims) {
    std::size_t bytes = size;
    for (const std::int64_t dim : dims.subspan(1)) bytes *= static_cast<std::size_t>(dim);
    return bytes;
  };
  const std::size_t dst_step = product(dst_dims), src_step = product(src_dims);
  for (std::int64_t i = 0; i < src_dims[0]; ++i, dst += dst_step, src += src_step)
    copy_into_corner(dtype, dst, dst_dims.subspan(1), src, src_dims.subspan(1));
}

// What holds every tuple's component.
Shape common_shape(std::span<const Tuple> tuples, std::size_t c, const PartialShape& shape) {
  Dims dims(shape.dims());
  for (int d = 0; d < dims.size(); ++d) {
    if (shape[d] >= 0) continue;
    dims[d] = 0;
    for (const Tuple& tuple : tuples) dims[d] = std::max(dims[d], tuple[c].dim(d));
  }
  return Shape(dims.span());
}

}  // namespace

Tensor row_of(const Tensor& rows, std::int64_t i) {
  Tensor row(rows.dtype(), rows.shape().without_dim(0));
  const Tensor slice = rows.slice(i, i + 1);
  copy_elements(rows.dtype(), row.raw_data(), slice.raw_data(),
                static_cast<std::size_t>(row.element_count()));
  return row;
}

Tuple tuple_of_inputs(const KernelCall& call, int first) {
  Tuple tuple;
  for (int i = first; i < call.input_count(); ++i) tuple.push_back(kept(call.input_tensor(i)));
  return tuple;
}

std::vector<Tuple> rows_of_inputs(const KernelCall& call, int first) {
  const std::int64_t count = call.input_tensor(first).dim(0);
  std::vector<Tuple> rows(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    for (int k = first; k < call.input_count(); ++k)
      rows[static_cast<std::size_t>(i)].push_back(row_of(call.input_tensor(k), i));
  return rows;
}

Tensor joined_component(std::span<const Tuple> tuples, std::size_t c, DType type,
                        const PartialShape& shape, bool pads) {
  const Shape one = pads ? common_shape(tuples, c, shape) : shape.full();
  Dims dims;
  dims.push_back(static_cast<std::int64_t>(tuples.size()));
  for (const std::int64_t dim : one.dims()) dims.push_back(dim);
  const Shape all(dims.span());
  Tensor joined = pads ? Tensor::zeros(type, all) : Tensor(type, all);
  auto* dst = static_cast<char*>(joined.raw_data());
  const std::size_t step = one.byte_size(element_size(type));
  for (const Tuple& tuple : tuples) {
    const Tensor& part = tuple[c];
    if (part.element_count() > 0)
      copy_into_corner(type, dst, one.dims(), static_cast<const char*>(part.raw_data()),
                       part.shape().dims());
    dst += step;
  }
  return joined;
}

}  // namespace rill
