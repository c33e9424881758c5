#pragma once

#include <map>
#include <string>

#include "rill/api/sparse/sparse_tensor.h"
#include "rill/graph/graph.h"
#include "rill/io/saved_model_parts.h"
#include "rill/proto/boxed_message.h"
#include "rill/proto/messages_fwd.h"

// What a saved model can be asked for: named inputs, named outputs and a method.
namespace rill::saved_model {

using tensorflow::SignatureDef;
using tensorflow::TensorInfo;
// What these functions make; read with ->, and given wherever a message is wanted.
using BoxedTensorInfo = BoxedMessage<TensorInfo>;
using BoxedSignatureDef = BoxedMessage<SignatureDef>;
using TensorInfos = std::map<std::string, BoxedTensorInfo>;

BoxedTensorInfo build_tensor_info(Output tensor);
BoxedTensorInfo build_tensor_info(const SparseTensor& tensor);
BoxedTensorInfo build_operation_info(const Node& operation);
// The tensor of the default graph, below `import_scope`. Throws InvalidArgument for kinds that are
// no dense tensor.
Output get_tensor_from_tensor_info(const TensorInfo& info, const std::string& import_scope = {});

BoxedSignatureDef build_signature_def(const TensorInfos& inputs, const TensorInfos& outputs,
                                      const std::string& method_name);
// These throw InvalidArgument when a tensor is missing or has the wrong type.
BoxedSignatureDef predict_signature_def(const std::map<std::string, Output>& inputs,
                                        const std::map<std::string, Output>& outputs);
BoxedSignatureDef classification_signature_def(Output examples, Output classes, Output scores);
BoxedSignatureDef regression_signature_def(Output examples, Output predictions);
// Whether method, keys and types go together, as servers demand it.
bool is_valid_signature(const SignatureDef& signature);

}  // namespace rill::saved_model
