#include "rill/api/variables/partitioned_variable.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"

namespace rill {

PartitionedVariable::PartitionedVariable(std::string name, std::vector<std::int64_t> shape,
                                         DType dtype, std::vector<Variable> parts,
                                         std::vector<std::int64_t> partitions)
    : name_(std::move(name)),
      shape_(std::move(shape)),
      dtype_(dtype),
      parts_(std::move(parts)),
      partitions_(std::move(partitions)) {
  require(!parts_.empty(), "variable_list may not be empty");
  require(partitions_.size() == shape_.size(), "Expected one partition per dimension of ", name_,
          ", got ", partitions_.size());
  for (const Variable& part : parts_)
    require(part->save_slice_info.has_value(),
            "All variables must have a save_slice_info: ", part.name());
}

std::vector<int> PartitionedVariable::partition_axes() const {
  std::vector<int> axes;
  for (std::size_t i = 0; i < partitions_.size(); ++i)
    if (partitions_[i] > 1) axes.push_back(static_cast<int>(i));
  if (axes.empty()) axes.push_back(0);
  return axes;
}

Output PartitionedVariable::as_tensor() const {
  const ControlDependencies none{std::span<Node* const>()};
  if (parts_.size() == 1) {
    const NameScope top("");
    return raw::Identity(Input(parts_[0]), {.name = name_});
  }
  Output whole;
  {
    const std::vector<int> axes = partition_axes();
    if (axes.size() != 1)
      raise(Code::kUnimplemented, "Cannot concatenate along more than one dimension: ", name_,
            ". Multi-axis partition concat is not supported");
    const NameScope joined(name_ + "/ConcatPartitions/");
    const Block concat("", "concat", std::source_location::current());
    std::vector<Input> values;
    for (const Variable& part : parts_) values.emplace_back(Input(part));
    whole = raw::ConcatV2(values, Input(axes[0]), {.name = concat.own_name()});
  }
  const NameScope top("");
  return raw::Identity(whole, {.name = name_});
}

template <class Assign>
std::vector<Output> PartitionedVariable::each(const Input& value, Assign assign) const {
  const Output whole = rill::as_tensor(value, "value", dtype_);
  std::vector<Output> results;
  for (const Variable& part : parts_) {
    const SaveSliceInfo& place = *part->save_slice_info;
    const Tensor offset = shape_tensor(Shape(place.var_offset));
    const Tensor size = shape_tensor(Shape(place.var_shape));
    results.push_back(assign(part, raw::Slice(whole, Input(offset), Input(size))));
  }
  return results;
}

std::vector<Output> PartitionedVariable::assign(const Input& value,
                                                const AssignOptions& options) const {
  return each(value, [&](const Variable& v, Output part) { return v.assign(part, options); });
}
std::vector<Output> PartitionedVariable::assign_add(const Input& value,
                                                    const AssignOptions& options) const {
  return each(value, [&](const Variable& v, Output part) { return v.assign_add(part, options); });
}
std::vector<Output> PartitionedVariable::assign_sub(const Input& value,
                                                    const AssignOptions& options) const {
  return each(value, [&](const Variable& v, Output part) { return v.assign_sub(part, options); });
}

}  // namespace rill
