#include "rill/api/estimator/export/export_output.h"

#include <unordered_set>

#include "rill/api/core/basic_ops.h"
#include "rill/api/train/misuse.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::estimator {
namespace {

using saved_model::kDefaultServingSignatureKey;
using saved_model::SignatureDef;
using saved_model::TensorInfo;

constexpr const char* kTrainMethod = "tensorflow/supervised/training";
constexpr const char* kEvalMethod = "tensorflow/supervised/eval";

TensorInfo info_of(const data::Component& part) {
  switch (part.spec().kind) {
    case data::ComponentKind::kTensor:
      return saved_model::build_tensor_info(part.tensor());
    case data::ComponentKind::kSparse:
      return saved_model::build_tensor_info(part.sparse());
    default:
      raise(Code::kUnimplemented, "Signatures have tensors and SparseTensors; this is ",
            data::to_text(part.spec()));
  }
}

saved_model::TensorInfos infos_of(const Features& parts) {
  saved_model::TensorInfos infos;
  for (const auto& [name, part] : parts) infos[name] = info_of(part);
  return infos;
}

saved_model::TensorInfos infos_of(const std::map<std::string, Output>& tensors) {
  saved_model::TensorInfos infos;
  for (const auto& [name, tensor] : tensors) infos[name] = saved_model::build_tensor_info(tensor);
  return infos;
}

// The serialised examples that are all that such a model is fed.
Output examples_of(const Features& receivers, const char* kind) {
  const bool one = receivers.size() == 1 &&
                   receivers.begin()->second.spec().kind == data::ComponentKind::kTensor &&
                   receivers.begin()->second.spec().dtype == DType::string;
  require(one, kind,
          " signatures can only accept a single tensor input of type tf.string. Please check to "
          "make sure that you have structured the serving_input_receiver_fn so that it creates a "
          "single string placeholder. If your model function expects multiple inputs, then use "
          "`tf.io.parse_example()` to parse the string into multiple tensors.");
  return receivers.begin()->second.tensor();
}

struct Signer {
  const Features& receivers;

  SignatureDef operator()(const ClassificationOutput& output) const {
    return saved_model::classification_signature_def(examples_of(receivers, "Classification"),
                                                     output.classes, output.scores);
  }
  SignatureDef operator()(const RegressionOutput& output) const {
    return saved_model::regression_signature_def(examples_of(receivers, "Regression"),
                                                 output.value);
  }
  SignatureDef operator()(const PredictOutput& output) const {
    require(!output.outputs.empty(), "Prediction `outputs` cannot be None or empty.");
    return saved_model::build_signature_def(infos_of(receivers), infos_of(output.outputs),
                                            saved_model::kPredictMethod);
  }
  SignatureDef operator()(const CustomOutput& output) const { return output.signature(receivers); }
};

std::string prefixed(const std::string& key, const std::string& prefix) {
  return key.starts_with(prefix) ? key : str_cat(prefix, "/", key);
}

std::map<std::string, Output> prefixed(const std::map<std::string, Output>& tensors,
                                       const std::string& prefix) {
  std::map<std::string, Output> named;
  for (const auto& [key, tensor] : tensors)
    named[key.empty() ? prefix : prefixed(key, prefix)] = tensor;
  return named;
}

// The tensor of an update, whose value does not matter where it is an operation.
Output update_tensor(const Runnable& update) {
  if (!update.is_operation()) return update.tensor();
  Node* const after = &update.node();
  const ControlDependencies then(std::span(&after, 1));
  return constant(Tensor(DType::f32, {0}), {.name = "metric_op_wrapper"});
}

std::map<std::string, Output> outputs_of(const SupervisedOutput& output) {
  auto all = prefixed(output.loss, "loss");
  all.merge(prefixed(output.predictions, "predictions"));
  for (const auto& [name, metric] : output.metrics) {
    const std::string key = name.empty() ? "metrics" : prefixed(name, "metrics");
    all[key + "/value"] = metric.value;
    all[key + "/update_op"] = update_tensor(metric.update_op);
  }
  return all;
}

}  // namespace

ClassificationOutput classification_output(Output scores, Output classes) {
  require(!scores.node || kFloatTypes.contains(scores.dtype()),
          "Classification scores must be a float32 Tensor; got ", scores.node ? scores.name() : "");
  require(!classes.node || base_type(classes.dtype()) == DType::string,
          "Classification classes must be a string Tensor; got ",
          classes.node ? classes.name() : "");
  require(scores.node || classes.node,
          "Cannot create a ClassificationOutput with empty arguments. At least one of `scores` and "
          "`classes` must be defined.");
  return {.scores = scores, .classes = classes};
}

RegressionOutput regression_output(Output value) {
  require(value.node && kFloatTypes.contains(value.dtype()),
          "Regression output value must be a float32 Tensor; got ",
          value.node ? value.name() : "None");
  return {value};
}

PredictOutput predict_output(std::map<std::string, Output> outputs) {
  if (auto lone = outputs.extract(""); lone) {
    lone.key() = "output";
    outputs.insert(std::move(lone));
  }
  return {std::move(outputs)};
}

SignatureDef signature_of(const ExportOutput& output, const Features& receiver_tensors) {
  return std::visit(Signer{receiver_tensors}, output);
}

std::map<std::string, ExportOutput> with_default(std::map<std::string, ExportOutput> outputs) {
  if (outputs.size() == 1) outputs.emplace(kDefaultServingSignatureKey, outputs.begin()->second);
  if (outputs.size() > 1 && !outputs.contains(kDefaultServingSignatureKey))
    train::misuse(
        Code::kInvalidArgument,
        "Multiple `export_outputs` were provided, but none of them are specified as the default. "
        "Use`tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY` to specify a default.");
  return outputs;
}

std::map<std::string, ExportOutput> export_outputs_of(const EstimatorSpec& spec) {
  if (spec.mode == Mode::kPredict) {
    if (!spec.export_outputs.empty()) return with_default(spec.export_outputs);
    return {{kDefaultServingSignatureKey, predict_output(spec.predictions)}};
  }
  SupervisedOutput output{.predictions = spec.predictions, .metrics = spec.eval_metric_ops};
  if (spec.loss.node) output.loss[""] = spec.loss;
  return {{spec.mode == Mode::kTrain ? "train" : "eval", supervised_output(output, spec.mode)}};
}

ExportOutput supervised_output(const SupervisedOutput& output, Mode mode) {
  const auto outputs = outputs_of(output);  // now: metrics may need nodes
  return CustomOutput{[outputs, mode](const Features& receivers) {
    return saved_model::build_signature_def(infos_of(receivers), infos_of(outputs),
                                            mode == Mode::kTrain ? kTrainMethod : kEvalMethod);
  }};
}

}  // namespace rill::estimator
