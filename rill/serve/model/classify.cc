#include "rill/io/saved_model_parts.h"
#include "rill/serve/model/labels.h"

namespace rill::serve {
namespace {

// Both kinds are the same but for what is made of the tensors.
void answer_examples(const ModelServable& model, const auto& request, auto* response,
                     const char* method, const char* kind, const RequestLimits& limits, Done done) {
  const SignatureDef* signature = nullptr;
  CompiledStepRef step;
  Tensor examples;
  try {
    const std::string name = signature_name_of(request.model_spec());
    signature = &example_signature(model, name, method, kind);
    response->mutable_model_spec()->set_signature_name(name);
    examples = serialized_examples(request.input());
    step = model.step({example_input(*signature)}, label_fetches(*signature));
  } catch (...) {
    return done(current_error());
  }
  run_examples(
      model, step, examples, limits,
      [signature, response, count = examples.dim(0)](const Fetched& fetched) {
        fill(*signature, fetched, count, response->mutable_result());
      },
      std::move(done));
}

}  // namespace

void classify(const ModelServable& model, const messages::ClassificationRequest& request,
              messages::ClassificationResponse* response, const RequestLimits& limits, Done done) {
  answer_examples(model, request, response, saved_model::kClassifyMethod, "classification", limits,
                  std::move(done));
}

void regress(const ModelServable& model, const messages::RegressionRequest& request,
             messages::RegressionResponse* response, const RequestLimits& limits, Done done) {
  answer_examples(model, request, response, saved_model::kRegressMethod, "regression", limits,
                  std::move(done));
}

}  // namespace rill::serve
