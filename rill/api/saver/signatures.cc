#include "rill/api/saver/signatures.h"

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::saved_model {
namespace {

using tensorflow::DT_FLOAT;
using tensorflow::DT_STRING;

void set_type(TensorInfo& info, DType dtype, const PartialShape& shape) {
  info.set_dtype(static_cast<tensorflow::DataType>(base_type(dtype)));
  to_proto(shape, info.mutable_tensor_shape());
}

template <class Map>
bool only_has(const Map& map, std::initializer_list<const char*> keys) {
  for (const auto& [name, info] : map)
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) return false;
  return true;
}

template <class Map>
const TensorInfo* find(const Map& map, const char* key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// Examples come in as texts.
bool takes_examples(const SignatureDef& signature) {
  const TensorInfo* inputs = find(signature.inputs(), kInputs);
  return only_has(signature.inputs(), {kInputs}) && inputs != nullptr &&
         inputs->dtype() == DT_STRING;
}

bool is_valid_classification(const SignatureDef& signature) {
  const TensorInfo* classes = find(signature.outputs(), kClasses);
  const TensorInfo* scores = find(signature.outputs(), kScores);
  return takes_examples(signature) && only_has(signature.outputs(), {kClasses, kScores}) &&
         (classes == nullptr || classes->dtype() == DT_STRING) &&
         (scores == nullptr || scores->dtype() == DT_FLOAT);
}

bool is_valid_regression(const SignatureDef& signature) {
  const TensorInfo* outputs = find(signature.outputs(), kOutputs);
  return takes_examples(signature) && only_has(signature.outputs(), {kOutputs}) &&
         outputs != nullptr && outputs->dtype() == DT_FLOAT;
}

void require_examples(Output examples, const char* kind) {
  require(bool(examples.node), kind, " `inputs` cannot be None.");
  require(base_type(examples.dtype()) == DType::string, kind,
          " input tensors must be of type string. Found tensors with type ",
          static_cast<int>(examples.dtype()), ".");
}

}  // namespace

BoxedTensorInfo build_tensor_info(Output tensor) {
  TensorInfo info;
  info.set_name(tensor.name());
  set_type(info, tensor.dtype(), tensor.shape());
  return info;
}

BoxedTensorInfo build_tensor_info(const SparseTensor& tensor) {
  TensorInfo info;
  info.mutable_coo_sparse()->set_values_tensor_name(tensor.values.name());
  info.mutable_coo_sparse()->set_indices_tensor_name(tensor.indices.name());
  info.mutable_coo_sparse()->set_dense_shape_tensor_name(tensor.dense_shape.name());
  set_type(info, tensor.values.dtype(), constant_shape_value(tensor.dense_shape));
  return info;
}

BoxedTensorInfo build_operation_info(const Node& operation) {
  TensorInfo info;
  info.set_name(operation.name());
  info.mutable_tensor_shape()->set_unknown_rank(true);
  return info;
}

Output get_tensor_from_tensor_info(const TensorInfo& info, const std::string& import_scope) {
  require(info.encoding_case() == TensorInfo::kName,
          "Invalid TensorInfo.encoding: ", static_cast<int>(info.encoding_case()));
  return default_graph()->tensor(import_scope.empty() ? info.name()
                                                      : import_scope + "/" + info.name());
}

BoxedSignatureDef build_signature_def(const TensorInfos& inputs, const TensorInfos& outputs,
                                      const std::string& method_name) {
  SignatureDef signature;
  for (const auto& [name, info] : inputs) (*signature.mutable_inputs())[name] = *info;
  for (const auto& [name, info] : outputs) (*signature.mutable_outputs())[name] = *info;
  signature.set_method_name(method_name);
  return signature;
}

BoxedSignatureDef predict_signature_def(const std::map<std::string, Output>& inputs,
                                        const std::map<std::string, Output>& outputs) {
  require(!inputs.empty(), "Prediction `inputs` cannot be None or empty.");
  require(!outputs.empty(), "Prediction `outputs` cannot be None or empty.");
  SignatureDef signature;
  for (const auto& [name, tensor] : inputs)
    (*signature.mutable_inputs())[name] = *build_tensor_info(tensor);
  for (const auto& [name, tensor] : outputs)
    (*signature.mutable_outputs())[name] = *build_tensor_info(tensor);
  signature.set_method_name(kPredictMethod);
  return signature;
}

BoxedSignatureDef classification_signature_def(Output examples, Output classes, Output scores) {
  require(classes.node || scores.node,
          "Classification `classes` and `scores` cannot both be None.");
  require_examples(examples, "Classification");
  SignatureDef signature;
  (*signature.mutable_inputs())[kInputs] = *build_tensor_info(examples);
  if (classes.node) {
    require(base_type(classes.dtype()) == DType::string,
            "Classification classes must be of type string Tensor. Found tensors with type ",
            static_cast<int>(classes.dtype()), ".");
    (*signature.mutable_outputs())[kClasses] = *build_tensor_info(classes);
  }
  if (scores.node) {
    require(base_type(scores.dtype()) == DType::f32,
            "Classification scores must be a float Tensor. Found tensors with type ",
            static_cast<int>(scores.dtype()), ".");
    (*signature.mutable_outputs())[kScores] = *build_tensor_info(scores);
  }
  signature.set_method_name(kClassifyMethod);
  return signature;
}

BoxedSignatureDef regression_signature_def(Output examples, Output predictions) {
  require(bool(predictions.node), "Regression `predictions` cannot be None.");
  require_examples(examples, "Regression");
  require(base_type(predictions.dtype()) == DType::f32,
          "Regression output tensors must be of type float. Found tensors with type ",
          static_cast<int>(predictions.dtype()), ".");
  SignatureDef signature;
  (*signature.mutable_inputs())[kInputs] = *build_tensor_info(examples);
  (*signature.mutable_outputs())[kOutputs] = *build_tensor_info(predictions);
  signature.set_method_name(kRegressMethod);
  return signature;
}

bool is_valid_signature(const SignatureDef& signature) {
  if (signature.method_name() == kPredictMethod)
    return !signature.inputs().empty() && !signature.outputs().empty();
  if (signature.method_name() == kClassifyMethod) return is_valid_classification(signature);
  if (signature.method_name() == kRegressMethod) return is_valid_regression(signature);
  return false;
}

}  // namespace rill::saved_model
