#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/state/element_update.h"

namespace rill {

extern const OpDecl kScatterNd;

namespace {

template <class Id>
void add_slices(const Tensor& indices, const Tensor& updates, const Tensor& out) {
  const auto depth = static_cast<std::size_t>(indices.dim(indices.rank() - 1));
  const auto places = indices.flat<Id>();
  std::size_t count = 1;
  for (int d = 0; d + 1 < indices.rank(); ++d) count *= static_cast<std::size_t>(indices.dim(d));
  std::int64_t width = 1;
  for (int d = static_cast<int>(depth); d < out.rank(); ++d) width *= out.dim(d);
  const std::size_t bytes = static_cast<std::size_t>(width) * element_size(out.dtype());
  const auto add = element_update(UpdateKind::kAdd, out.dtype()).with_row;
  for (std::size_t i = 0; i < count && bytes > 0; ++i) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      const std::int64_t index = places[i * depth + d], dim = out.dim(static_cast<int>(d));
      require(index >= 0 && index < dim, "indices[", i, "] does not index into shape ",
              out.shape());
      at = at * dim + index;
    }
    add(out.dtype(), static_cast<std::byte*>(out.raw_data()) + static_cast<std::size_t>(at) * bytes,
        static_cast<const std::byte*>(updates.raw_data()) + i * bytes,
        static_cast<std::size_t>(width));
  }
}

void scatter_nd(KernelCall& call) {
  const Tensor &indices = call.input_tensor(0), &updates = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  if (out.byte_size() == 0) {
    require(updates.element_count() == 0 || indices.element_count() == 0,
            "Indices and updates specified for empty output shape");
    return;
  }
  std::memset(out.raw_data(), 0, out.byte_size());
  indices.dtype() == DType::i64 ? add_slices<std::int64_t>(indices, updates, out)
                                : add_slices<std::int32_t>(indices, updates, out);
}

constexpr KernelEntry kEntries[] = {{.op = &kScatterNd, .types = kUpdateTypes, .run = scatter_nd}};

}  // namespace

extern const KernelTable kScatterNdCpu{kEntries};

}  // namespace rill
