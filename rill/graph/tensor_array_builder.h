#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rill/graph/scope.h"

namespace rill {

struct TensorArrayOptions {
  bool dynamic_size = false;
  std::optional<bool> clear_after_read = {};  // true when not given
  std::string tensor_array_name = {};
  bool infer_shape = true;  // all elements have one shape, which the first one tells
  PartialShape element_shape = {};
  bool colocate_with_first_write_call = true;
  std::string name = {};
};

// A TensorArray while its graph is built: a handle, and the flow that orders writes before reads.
// Immutable: what writes returns a new one, through which later nodes must go. Each method makes
// its nodes at `scope`, with TensorFlow's names; an empty name is the op's own.
class TensorArrayBuilder {
 public:
  // A new array of `size` elements.
  TensorArrayBuilder(Scope& scope, DType dtype, const Input& size, const TensorArrayOptions& = {});
  // One that exists.
  TensorArrayBuilder(Scope& scope, DType dtype, Output handle, Output flow,
                     const TensorArrayOptions& = {});

  DType dtype() const { return dtype_; }
  Output handle() const { return handle_; }
  Output flow() const { return flow_; }
  const PartialShape& element_shape() const;
  bool dynamic_size() const { return dynamic_size_; }

  TensorArrayBuilder with_flow(Scope& scope,
                               Output flow) const;  // takes a name, as TensorFlow does
  // The same array behind an Identity of its flow, as a loop variable needs it.
  TensorArrayBuilder identity(Scope& scope) const;
  // The array of the gradients of this one's elements; `source` names one such array.
  TensorArrayBuilder grad(Scope& scope, std::string_view source, Output flow,
                          std::string_view name = {}) const;

  // One element, several stacked, all stacked, all joined along their first dimension. With
  // clear_after_read an element can be read once only: the step fails otherwise.
  Output read(Scope& scope, const Input& index, std::string_view name = {}) const;
  Output gather(Scope& scope, const Input& indices, std::string_view name = {}) const;
  Output stack(Scope& scope, std::string_view name = {}) const;
  Output concat(Scope& scope, std::string_view name = {}) const;
  // The size as it was given, unless the array may grow.
  Output size(Scope& scope, std::string_view name = {}) const;
  Node& close(Scope& scope, std::string_view name = {}) const;

  // These throw InvalidArgument when the value does not have the type or shape of the elements.
  TensorArrayBuilder write(Scope& scope, const Input& index, const Input& value,
                           std::string_view name = {}) const;
  TensorArrayBuilder scatter(Scope& scope, const Input& indices, const Input& value,
                             std::string_view name = {}) const;
  TensorArrayBuilder unstack(Scope& scope, const Input& value, std::string_view name = {}) const;
  TensorArrayBuilder split(Scope& scope, const Input& value, const Input& lengths,
                           std::string_view name = {}) const;

 private:
  struct Shared;  // by all objects that stand for the same array
  void check_element(const PartialShape& shape) const;
  Output value_of(Scope& inner, const Input& value) const;
  Scope beside_first_write(const Scope& scope, Output value) const;
  void refine(Output value, std::int64_t rows) const;

  DType dtype_;
  Output handle_, flow_;
  bool infer_shape_, dynamic_size_, colocate_;
  std::optional<Input> size_;  // as given, where it is known
  std::shared_ptr<Shared> shared_;
};

}  // namespace rill
