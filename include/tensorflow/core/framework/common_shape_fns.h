#ifndef TENSORFLOW_CORE_FRAMEWORK_COMMON_SHAPE_FNS_H_
#define TENSORFLOW_CORE_FRAMEWORK_COMMON_SHAPE_FNS_H_

#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/core/util/padding.h"

namespace tensorflow {

// The size of a window's output and the padding before it.
Status GetWindowedOutputSize(int64 input_size, int64 filter_size, int64 stride,
                             Padding padding_type, int64* output_size, int64* padding_size);

namespace shape_inference {

Status UnchangedShape(InferenceContext* c);  // output 0 as input 0
Status UnchangedShapeWithRank(InferenceContext* c, int32 rank);
Status UnchangedShapeWithRankAtLeast(InferenceContext* c, int32 rank);
Status UnchangedShapeWithRankAtMost(InferenceContext* c, int32 rank);
Status ScalarShape(InferenceContext* c);  // every output is a scalar
Status NoOutputs(InferenceContext* c);
Status UnknownShape(InferenceContext* c);   // nothing can be said
Status ExplicitShape(InferenceContext* c);  // the attribute "shape"
Status MergeBothInputsShapeFn(InferenceContext* c);
Status BroadcastBinaryOpShapeFn(InferenceContext* c);
Status MatMulShape(InferenceContext* c);
Status BiasAddShape(InferenceContext* c);
Status ReductionShape(InferenceContext* c);
Status ConcatV2Shape(InferenceContext* c);

}  // namespace shape_inference
}  // namespace tensorflow

#endif
