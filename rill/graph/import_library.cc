#include "rill/graph/import_library.h"

#include "rill/base/error.h"
#include "rill/graph/function_proto.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {

void import_library(GraphEdit& edit, const tensorflow::FunctionDefLibrary& library, int producer) {
  for (const auto& def : library.function()) edit.define(from_proto(def, producer));
  for (const auto& def : library.gradient())
    edit.define_gradient(def.function_name(), def.gradient_func());
}

}  // namespace rill
