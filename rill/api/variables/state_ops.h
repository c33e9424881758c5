#pragma once

#include "rill/api/gen/state.h"
#include "rill/api/variables/variable.h"

namespace rill {

// The methods of Variable under the names of TensorFlow's functions.
inline Output assign(const Variable& ref, const Input& value, const AssignOptions& options = {}) {
  return ref.assign(value, options);
}
inline Output assign_add(const Variable& ref, const Input& value,
                         const AssignOptions& options = {}) {
  return ref.assign_add(value, options);
}
inline Output assign_sub(const Variable& ref, const Input& value,
                         const AssignOptions& options = {}) {
  return ref.assign_sub(value, options);
}
inline Output scatter_update(const Variable& ref, const Input& indices, const Input& updates,
                             const AssignOptions& options = {}) {
  return ref.scatter("Update", indices, updates, options);
}
inline Output scatter_add(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Add", indices, updates, options);
}
inline Output scatter_sub(const Variable& ref, const Input& indices, const Input& updates,
                          const AssignOptions& options = {}) {
  return ref.scatter("Sub", indices, updates, options);
}
// Writes `updates` to the places that `indices` name along the last dimension of each batch.
Output batch_scatter_update(const Variable& ref, const Input& indices, const Input& updates,
                            const AssignOptions& options = {.use_locking = true},
                            std::source_location at = std::source_location::current());
inline Output count_up_to(const Variable& ref, std::int64_t limit, const std::string& name = {}) {
  return ref.count_up_to(limit, name);
}
inline Output is_variable_initialized(const Variable& variable) {
  return variable.is_initialized();
}
// The same of a reference, such as a variable's node gives. Another tensor throws InvalidArgument.
inline Output count_up_to(Output ref, std::int64_t limit, const std::string& name = {}) {
  return raw::CountUpTo(ref, limit, {.name = name});
}
inline Output is_variable_initialized(Output ref) { return raw::IsVariableInitialized(ref); }

}  // namespace rill
