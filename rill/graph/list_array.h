#pragma once

#include "rill/graph/scope.h"

namespace rill {

// A TensorArray as functions of the graph have it: a list that is a value, handed from node to node
// where TensorArrayBuilder has its flow. Gradients, branches and loops take it as any tensor.
class ListArray {
 public:
  ListArray(DType dtype, bool dynamic) : dtype_(dtype), dynamic_(dynamic) {}

  Output make(Scope& scope, const Input& size, const PartialShape& element) const;
  Output read(Scope& scope, Output list, const Input& index, const PartialShape& element) const;
  Output gather(Scope& scope, Output list, const Input& indices, const PartialShape& element) const;
  Output stack(Scope& scope, Output list, const PartialShape& element) const;
  Output concat(Scope& scope, Output list, const PartialShape& element) const;
  Output size(Scope& scope, Output list) const;
  // These give the list with what was written. Of a dynamic one a place beyond the end is made.
  Output write(Scope& scope, Output list, const Input& index, Output value) const;
  Output scatter(Scope& scope, Output list, const Input& indices, Output rows) const;
  Output split(Scope& scope, Output rows, Output lengths) const;

 private:
  DType dtype_;
  bool dynamic_;
};

}  // namespace rill
