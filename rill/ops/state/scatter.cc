#include "rill/ops/state/scatter.h"

#include "rill/ops/array/slice/gather.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/state/scatter_shape.h"
#include "rill/ops/update/column_parts.h"

namespace rill {

void scatter(const KernelCall& call, UpdateKind kind, VariableResource& variable,
             const Tensor& indices, const Tensor& updates) {
  variable.update([&](Tensor& current) {
    require(current.dtype() == updates.dtype(), "variable ", variable.name(), " of dtype ",
            current.dtype(), " cannot take updates of dtype ", updates.dtype());
    check_scatter_shapes(current.shape(), indices.shape(), updates.shape());
    check_indices(indices, current.dim(0));
    const ElementUpdate update = element_update(kind, current.dtype());
    if (update.with_row == nullptr)
      raise(Code::kUnimplemented, call.node().op->name, " of elements of type ", current.dtype());
    if (current.element_count() == 0) return;
    const auto slice = static_cast<std::size_t>(current.element_count() / current.dim(0));
    const std::size_t bytes = slice * element_size(current.dtype());
    const bool one_for_all = updates.rank() == 0 && indices.rank() + current.rank() > 1;
    auto* dst = static_cast<char*>(current.raw_data());
    const auto* src = static_cast<const char*>(updates.raw_data());
    const auto row = one_for_all ? update.with_scalar : update.with_row;
    const std::size_t size = element_size(current.dtype());
    for_column_parts(call, indices.element_count(), slice, size,
                     [&](std::size_t column, std::size_t n) {
                       for (std::int64_t i = 0; i < indices.element_count(); ++i) {
                         const auto to = static_cast<std::size_t>(int_at(indices, i)) * bytes;
                         const auto from = static_cast<std::size_t>(i) * bytes;
                         row(current.dtype(), dst + to + column * size,
                             src + (one_for_all ? 0 : from + column * size), n);
                       }
                     });
  });
}

}  // namespace rill
