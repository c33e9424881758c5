#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/variables/initializer.h"
#include "rill/api/variables/partitioned_variable.h"

namespace rill {

// What get_variable does with a name that is taken already, or not yet.
enum class Reuse {
  kUnset,  // as the scope around says; at the top: as kNo
  kNo,     // the variable must be new
  kYes,    // it must be there
  kAuto,   // it is made when it is not there
};
inline constexpr Reuse AUTO_REUSE = Reuse::kAuto;

// A variable, its parts, or what a custom getter put in its place.
using AnyVariable =
    std::variant<Variable, PartitionedVariableRef, Output, std::shared_ptr<Collectable>>;

// What is absent is the scope's. A partitioner needs a shape that is fully known. An initializer
// that is a value gives the shape: then none may be given.
struct GetVariableOptions;
using Getter = std::function<AnyVariable(const std::string& name, const GetVariableOptions&)>;

// Functions of a program; `foreign` is the object of another language that they stand for.
struct Regularizer {
  std::function<Output(const AnyVariable&)> loss;  // an empty Output: no loss
  std::shared_ptr<void> foreign = {};
  explicit operator bool() const { return bool(loss); }
};
struct Partitioner {
  // How many parts lie along each dimension.
  std::function<std::vector<std::int64_t>(const PartialShape&, DType)> split;
  std::shared_ptr<void> foreign = {};
  explicit operator bool() const { return bool(split); }
};
struct CustomGetter {
  std::function<AnyVariable(const Getter&, const std::string& name, const GetVariableOptions&)> get;
  std::shared_ptr<void> foreign = {};
  explicit operator bool() const { return bool(get); }
};
struct ConstraintFunction {
  Constraint apply = {};
  std::shared_ptr<void> foreign = {};
  explicit operator bool() const { return bool(apply); }
};

struct GetVariableOptions {
  std::optional<PartialShape> shape = {};
  DType dtype = DType::invalid;  // invalid: the scope's
  Initializer initializer = {};  // none: the scope's, else Glorot's or zeros
  Regularizer regularizer = {};
  Reuse reuse = Reuse::kUnset;  // for getters; programs say it with scopes
  std::optional<bool> trainable = {};
  std::optional<std::vector<std::string>> collections = {};
  std::optional<DeviceChoice> caching_device = {};
  Partitioner partitioner = {};
  bool validate_shape = true;
  std::optional<bool> use_resource = {};
  CustomGetter custom_getter = {};
  ConstraintFunction constraint = {};
  VariableSynchronization synchronization = VariableSynchronization::AUTO;
  VariableAggregation aggregation = VariableAggregation::NONE;
};

// The variable of that name in the current variable scope: made, or found, as the scope's reuse
// says. Throws InvalidArgument when it may not be made, is not there, or has another shape or type.
//
//   const VariableScopeBlock in("dense", {.reuse = AUTO_REUSE});
//   Variable w = get_variable("w", PartialShape{784, 10});  // "dense/w", the same one each time
AnyVariable get_any_variable(const std::string& name, const GetVariableOptions& options = {},
                             std::source_location at = std::source_location::current());
// The same where it must be a plain variable; InvalidArgument where it is partitioned.
Variable get_variable(const std::string& name, const GetVariableOptions& options = {},
                      std::source_location at = std::source_location::current());
Variable get_variable(const std::string& name, const PartialShape& shape,
                      GetVariableOptions options = {},
                      std::source_location at = std::source_location::current());
// {} is a scalar, as Python's [].
inline Variable get_variable(const std::string& name, std::initializer_list<std::int64_t> shape,
                             GetVariableOptions options = {},
                             std::source_location at = std::source_location::current()) {
  return get_variable(name, PartialShape(shape), std::move(options), at);
}
// Neither trained nor saved: in LOCAL_VARIABLES instead of GLOBAL_VARIABLES.
GetVariableOptions as_local_variable(GetVariableOptions options);
Variable get_local_variable(const std::string& name, const GetVariableOptions& options = {},
                            std::source_location at = std::source_location::current());

// Partitioners: how many parts of at most so many bytes, or exactly so many, along one axis.
struct VariableAxisSizeOptions {
  int axis = 0;
  int bytes_per_string_element = 16;
  std::optional<std::int64_t> max_shards = {};
};
// As few parts as keep each below max_shard_bytes, at most max_shards.
Partitioner variable_axis_size_partitioner(std::int64_t max_shard_bytes,
                                           const VariableAxisSizeOptions& options = {});
struct MinMaxPartitionerOptions {
  int axis = 0;
  std::int64_t min_slice_size = 256 << 10;
  int bytes_per_string_element = 16;
};
// At most max_partitions, each of at least min_slice_size bytes.
Partitioner min_max_variable_partitioner(std::int64_t max_partitions = 1,
                                         const MinMaxPartitionerOptions& options = {});
// num_shards, or as many as the axis has elements where that is less. An axis that the variable
// does not have throws InvalidArgument when the variable is made, as with the others.
Partitioner fixed_size_partitioner(std::int64_t num_shards, int axis = 0);

}  // namespace rill
