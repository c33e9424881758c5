#pragma once

#include <map>
#include <string>

#include "rill/api/sparse/sparse_tensor.h"
#include "rill/graph/graph.h"
#include "rill/io/saved_model_parts.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

// What a saved model can be asked for: named inputs, named outputs and a method.
namespace rill::saved_model {

using tensorflow::SignatureDef;
using tensorflow::TensorInfo;
using TensorInfos = std::map<std::string, TensorInfo>;

TensorInfo build_tensor_info(Output tensor);
TensorInfo build_tensor_info(const SparseTensor& tensor);
TensorInfo build_operation_info(const Node& operation);
// The tensor of the default graph, below `import_scope`. Throws InvalidArgument for kinds that are
// no dense tensor.
Output get_tensor_from_tensor_info(const TensorInfo& info, const std::string& import_scope = {});

SignatureDef build_signature_def(const TensorInfos& inputs, const TensorInfos& outputs,
                                 const std::string& method_name);
// These throw InvalidArgument when a tensor is missing or has the wrong type.
SignatureDef predict_signature_def(const std::map<std::string, Output>& inputs,
                                   const std::map<std::string, Output>& outputs);
SignatureDef classification_signature_def(Output examples, Output classes, Output scores);
SignatureDef regression_signature_def(Output examples, Output predictions);
// Whether method, keys and types go together, as servers demand it.
bool is_valid_signature(const SignatureDef& signature);

}  // namespace rill::saved_model
