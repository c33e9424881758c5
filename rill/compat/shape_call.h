#pragma once

#include "rill/graph/op_decl.h"
#include "tensorflow/core/framework/op_def_builder.h"

namespace rill {
class Op;
}

namespace tensorflow {

// The shape function of every op that was registered with one of TensorFlow's: finds it and calls
// it on an InferenceContext.
rill::Shapes call_shape_function(const rill::ShapeCtx& c);
void set_shape_function(const rill::Op& op, OpShapeInferenceFn fn);

}  // namespace tensorflow
