#include "rill/api/variables/create_partitioned.h"

#include "rill/api/variables/variable_scope.h"
#include "rill/base/error.h"

namespace rill {
namespace {

std::unique_ptr<VariableScopeBlock> scope_for(const CreatePartitionedOptions& options,
                                              std::source_location at) {
  const VariableScopeOptions reuse{.reuse = options.reuse};
  if (options.name.empty())
    return VariableScopeBlock::with_default_name("PartitionedVariable", reuse, at);
  return std::make_unique<VariableScopeBlock>(options.name, reuse, at);
}

}  // namespace

std::vector<Variable> create_partitioned_variables(const std::vector<std::int64_t>& shape,
                                                   const std::vector<std::int64_t>& slicing,
                                                   const Initializer& initializer,
                                                   const CreatePartitionedOptions& options,
                                                   std::source_location at) {
  const PartialShape given(shape), slices(slicing);
  require(shape.size() == slicing.size(),
          "The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: ",
          given, ", slicing: ", slices);
  require(!shape.empty(), "A partitioned Variable must have rank at least 1: shape: ", given);
  const auto in = scope_for(options, at);
  GetVariableOptions wanted{.shape = given,
                            .dtype = options.dtype,
                            .initializer = initializer,
                            .trainable = options.trainable,
                            .collections = options.collections};
  wanted.partitioner.split = [slicing](const PartialShape&, DType) { return slicing; };
  const AnyVariable made = in->scope()->get_own_variable(std::move(wanted));
  return std::get<PartitionedVariableRef>(made)->parts();
}

}  // namespace rill
