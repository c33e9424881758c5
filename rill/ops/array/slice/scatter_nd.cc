#include "rill/ops/array/slice/scatter_nd.h"

#include "rill/ops/array/slice/gather.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/update/column_parts.h"

namespace rill {
namespace {

// Where in `target`, counted in slices, row i of `indices` points to.
std::int64_t place_of(const Tensor& indices, std::int64_t i, std::int64_t depth,
                      const Shape& target) {
  std::int64_t place = 0;
  for (std::int64_t d = 0; d < depth; ++d) {
    const std::int64_t index = int_at(indices, i * depth + d),
                       dim = target.dim(static_cast<int>(d));
    if (index < 0 || index >= dim) return -1;
    place = place * dim + index;
  }
  return place;
}

std::string coordinates(const Tensor& indices, std::int64_t i, std::int64_t depth) {
  std::string text;
  for (std::int64_t d = 0; d < depth; ++d)
    text += str_cat(d == 0 ? "" : ", ", int_at(indices, i * depth + d));
  return text;
}

}  // namespace

void scatter_nd(const KernelCall& call, UpdateKind kind, const Tensor& indices,
                const Tensor& updates, const Tensor& target) {
  const DType dtype = target.dtype();
  const auto update = element_update(kind, dtype).with_row;
  if (update == nullptr) raise(Code::kUnimplemented, "scattering elements of type ", dtype);
  const std::int64_t depth = indices.dim(indices.rank() - 1);
  std::int64_t count = 1, width = 1;
  for (int d = 0; d + 1 < indices.rank(); ++d) count *= indices.dim(d);
  for (int d = static_cast<int>(depth); d < target.rank(); ++d) width *= target.dim(d);
  require(
      target.element_count() > 0 || indices.element_count() == 0 || updates.element_count() == 0,
      "Indices and updates specified for empty output shape");
  const std::size_t bytes = static_cast<std::size_t>(width) * element_size(dtype);
  if (bytes == 0 || target.element_count() == 0) return;
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    places[i] = place_of(indices, row, depth, target.shape());
    if (places[i] < 0) [[unlikely]]
      raise(Code::kInvalidArgument, "indices",
            index_text(indices.shape().without_dim(indices.rank() - 1), row), " = [",
            coordinates(indices, row, depth), "] does not index into shape ", target.shape());
  }
  auto* dst = static_cast<std::byte*>(target.raw_data());
  const auto* src = static_cast<const std::byte*>(updates.raw_data());
  const std::size_t size = element_size(dtype);
  for_column_parts(
      call, count, static_cast<std::size_t>(width), size, [&](std::size_t column, std::size_t n) {
        for (std::size_t i = 0; i < places.size(); ++i)
          update(dtype, dst + static_cast<std::size_t>(places[i]) * bytes + column * size,
                 src + i * bytes + column * size, n);
      });
}

}  // namespace rill
