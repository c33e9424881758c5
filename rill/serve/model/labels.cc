#include "rill/serve/model/labels.h"

#include <algorithm>

#include "rill/io/saved_model_parts.h"

namespace rill::serve {
namespace {

using namespace saved_model;

void check_count(std::int64_t given, std::int64_t got) {
  require(given == got, "Input batch size did not match output batch size: ", given, " vs. ", got);
}

// A matrix with a row for each example, or nothing.
const Tensor* matrix(const Tensor* tensor, DType dtype, const char* name, const char* type_name,
                     std::int64_t example_count) {
  if (tensor == nullptr) return nullptr;
  require(tensor->rank() == 2, "Expected Tensor shape: [batch_size num_classes] but got ",
          tensor->shape());
  require(tensor->dtype() == dtype, "Expected ", name, " Tensor of ", type_name,
          ". Got: ", tensor->dtype());
  check_count(example_count, tensor->dim(0));
  return tensor;
}

}  // namespace

const SignatureDef& example_signature(const ModelServable& model, const std::string& name,
                                      const char* method, const char* kind) {
  const SignatureDef* signature = model.signature(name);
  require(signature != nullptr, "No signature was found with the name: ", name);
  require(signature->method_name() == method, "Expected ", kind, " signature method_name to be ",
          method, ". Was: ", signature->method_name());
  require(signature->inputs_size() == 1, "Expected one input Tensor.");
  require(signature->inputs().contains(kInputs), "No ", kind,
          " inputs found in SignatureDef: ", name);
  const auto& outputs = signature->outputs();
  if (method == std::string_view(kRegressMethod)) {
    require(outputs.size() == 1, "Expected one output Tensor.");
    require(outputs.contains(kOutputs), "No regression outputs found in SignatureDef: ", name);
  } else {
    require(outputs.size() == 1 || outputs.size() == 2,
            "Expected one or two output Tensors, found ", outputs.size());
    require(outputs.contains(kClasses) || outputs.contains(kScores),
            "Expected classification signature outputs to contain at least one of \"", kClasses,
            "\" or \"", kScores, "\". Signature was: ", name);
  }
  return *signature;
}

std::string example_input(const SignatureDef& signature) {
  return signature.inputs().at(kInputs).name();
}

std::set<std::string> label_fetches(const SignatureDef& signature) {
  std::set<std::string> tensors;
  for (const char* name : {kClasses, kScores, kOutputs})
    if (const auto output = signature.outputs().find(name); output != signature.outputs().end())
      tensors.insert(output->second.name());
  return tensors;
}

const Tensor* Fetched::find(const SignatureDef& signature, const char* output) const {
  const auto info = signature.outputs().find(output);
  if (info == signature.outputs().end()) return nullptr;
  const auto place = std::ranges::find(step.fetches, info->second.name()) - step.fetches.begin();
  return &values[static_cast<std::size_t>(place)];
}

void fill(const SignatureDef& signature, const Fetched& fetched, std::int64_t example_count,
          messages::ClassificationResult* result) {
  const Tensor* classes = matrix(fetched.find(signature, kClasses), DType::string, "classes",
                                 "DT_STRING", example_count);
  const Tensor* scores =
      matrix(fetched.find(signature, kScores), DType::f32, "scores", "DT_FLOAT", example_count);
  require(classes == nullptr || scores == nullptr || classes->dim(1) == scores->dim(1),
          "Tensors class and score should match in dim_size(1). Got ",
          classes == nullptr ? 0 : classes->dim(1), " vs. ",
          scores == nullptr ? 0 : scores->dim(1));
  const std::int64_t width = (classes != nullptr ? classes : scores)->dim(1);
  const std::string* label = classes != nullptr ? classes->data<std::string>() : nullptr;
  const float* score = scores != nullptr ? scores->data<float>() : nullptr;
  for (std::int64_t row = 0; row < example_count; ++row) {
    auto* labels = result->add_classifications();
    for (std::int64_t column = 0; column < width; ++column) {
      auto* one = labels->add_classes();
      if (label != nullptr) one->set_label(*label++);
      if (score != nullptr) one->set_score(*score++);
    }
  }
}

void fill(const SignatureDef& signature, const Fetched& fetched, std::int64_t example_count,
          messages::RegressionResult* result) {
  const Tensor& values = *fetched.find(signature, kOutputs);
  require(values.rank() == 1 || (values.rank() == 2 && values.dim(1) == 1),
          "Expected output Tensor shape to be either [batch_size] or [batch_size, 1] but got ",
          values.shape());
  require(values.dtype() == DType::f32,
          "Expected output Tensor of DT_FLOAT. Got: ", values.dtype());
  check_count(example_count, values.dim(0));
  for (const float value : values.flat<float>()) result->add_regressions()->set_value(value);
}

void run_examples(const ModelServable& model, const CompiledStepRef& step, const Tensor& examples,
                  const RequestLimits& limits, std::function<void(const Fetched&)> finish,
                  Done done) {
  model.run(step, {examples}, limits,
            // Whoever waits for the answer holds the model, and that its steps.
            [step = step.get(), finish = std::move(finish), done = std::move(done)](
                std::vector<Tensor> values, std::optional<Error> error) {
              if (!error) try {
                  finish({*step, values});
                } catch (...) {
                  error = current_error();
                }
              done(std::move(error));
            });
}

}  // namespace rill::serve
