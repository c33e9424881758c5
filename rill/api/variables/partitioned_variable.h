#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill {

// A variable whose parts, along one dimension, are variables of their own, so that they can stand
// on several devices. A checkpoint holds it as one tensor.
class PartitionedVariable : public Collectable {
 public:
  // Throws InvalidArgument when the parts do not fit `partitions`, how many lie along each
  // dimension.
  PartitionedVariable(std::string name, std::vector<std::int64_t> shape, DType dtype,
                      std::vector<Variable> parts, std::vector<std::int64_t> partitions);

  std::string collected_name() const override { return name_; }
  const std::string& name() const { return name_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  const std::vector<Variable>& parts() const { return parts_; }
  const std::vector<std::int64_t>& partitions() const { return partitions_; }
  // The dimensions along which there is more than one part; the first where there is none.
  std::vector<int> partition_axes() const;

  Output as_tensor() const;  // the parts joined, under the variable's name
  // Gives each part its part of `value`.
  std::vector<Output> assign(const Input& value, const AssignOptions& options = {}) const;
  std::vector<Output> assign_add(const Input& value, const AssignOptions& options = {}) const;
  std::vector<Output> assign_sub(const Input& value, const AssignOptions& options = {}) const;

 private:
  template <class Assign>
  std::vector<Output> each(const Input& value, Assign assign) const;

  std::string name_;
  std::vector<std::int64_t> shape_;
  DType dtype_;
  std::vector<Variable> parts_;
  std::vector<std::int64_t> partitions_;
};
using PartitionedVariableRef = std::shared_ptr<PartitionedVariable>;

}  // namespace rill
