#include <algorithm>
#include <cmath>

#include "rill/api/variables/get_variable.h"

namespace rill {
namespace {

std::int64_t bytes_per_element(DType dtype, int per_string) {
  return dtype == DType::string ? per_string : static_cast<std::int64_t>(element_size(dtype));
}

std::vector<std::int64_t> along(const Shape& shape, int axis, std::int64_t parts) {
  std::vector<std::int64_t> partitions(static_cast<std::size_t>(shape.rank()), 1);
  partitions.at(static_cast<std::size_t>(axis)) = parts;
  return partitions;
}

}  // namespace

Partitioner variable_axis_size_partitioner(std::int64_t max_shard_bytes,
                                           const VariableAxisSizeOptions& o) {
  require(max_shard_bytes >= 1 && o.bytes_per_string_element >= 1,
          "Both max_shard_bytes and bytes_per_string_element must be positive.");
  require(!o.max_shards || *o.max_shards >= 1, "max_shards must be positive.");
  return {[=](const PartialShape& partial, DType dtype) {
            const Shape shape = partial.full();
            require(o.axis < shape.rank(), "A non positive or too large axis: ", o.axis);
            const double total = double(shape.element_count());
            const double size = double(bytes_per_element(dtype, o.bytes_per_string_element));
            const double slice_bytes =
                total / double(std::max<std::int64_t>(1, shape[o.axis])) * size;
            const double slices = std::max(1.0, std::floor(double(max_shard_bytes) / slice_bytes));
            double shards = std::ceil(double(shape[o.axis]) / slices);
            if (o.max_shards) shards = std::min(double(*o.max_shards), shards);
            return along(shape, o.axis, static_cast<std::int64_t>(shards));
          },
          nullptr};
}

Partitioner min_max_variable_partitioner(std::int64_t max_partitions,
                                         const MinMaxPartitionerOptions& o) {
  return {[=](const PartialShape& partial, DType dtype) {
            const Shape shape = partial.full();
            require(o.axis < shape.rank(), "The variable has no axis ", o.axis);
            const double bytes = double(shape.element_count()) *
                                 double(bytes_per_element(dtype, o.bytes_per_string_element));
            double parts = std::ceil(bytes / double(o.min_slice_size));
            parts = std::min({parts, double(shape[o.axis]), double(max_partitions)});
            return along(shape, o.axis,
                         std::max<std::int64_t>(1, static_cast<std::int64_t>(parts)));
          },
          nullptr};
}

Partitioner fixed_size_partitioner(std::int64_t num_shards, int axis) {
  return {[=](const PartialShape& partial, DType) {
            const Shape shape = partial.full();
            require(axis < shape.rank(), "The variable has no axis ", axis);
            return along(shape, axis, std::min(num_shards, shape[axis]));
          },
          nullptr};
}

}  // namespace rill
