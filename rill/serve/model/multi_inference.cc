#include "rill/io/saved_model_parts.h"
#include "rill/serve/model/labels.h"

namespace rill::serve {
namespace {

using namespace saved_model;

struct Task {
  const messages::InferenceTask* task;
  std::string name;
  const SignatureDef* signature;
  bool classifies;
};

std::vector<Task> tasks_of(const ModelServable& model,
                           const messages::MultiInferenceRequest& request) {
  require(!request.tasks().empty(), "Inference request must have at least one task");
  std::vector<Task> tasks;
  std::set<std::string> names;
  for (const messages::InferenceTask& task : request.tasks()) {
    require(!task.model_spec().name().empty(), "Found ModelSpec with an empty model name.");
    require(task.model_spec().name() == request.tasks(0).model_spec().name(),
            "All ModelSpecs in a MultiInferenceRequest must access the same model name.");
    const std::string name = signature_name_of(task.model_spec());
    require(names.insert(name).second, "Duplicate evaluation of signature: ", name);
    const bool classifies = task.method_name() == kClassifyMethod;
    if (!classifies && task.method_name() != kRegressMethod)
      raise(Code::kUnimplemented, "Unsupported signature method_name: ", task.method_name());
    const SignatureDef& signature =
        classifies ? example_signature(model, name, kClassifyMethod, "classification")
                   : example_signature(model, name, kRegressMethod, "regression");
    tasks.push_back({&task, name, &signature, classifies});
  }
  return tasks;
}

// One step that gives what all of them need.
CompiledStepRef joint_step(const ModelServable& model, const std::vector<Task>& tasks) {
  std::set<std::string> feeds, fetches;
  for (const Task& task : tasks) {
    feeds.insert(example_input(*task.signature));
    fetches.merge(label_fetches(*task.signature));
  }
  require(feeds.size() == 1, "Input tensor must be the same for all Signatures.");
  return model.step(feeds, fetches);
}

}  // namespace

void multi_inference(const ModelServable& model, const messages::MultiInferenceRequest& request,
                     messages::MultiInferenceResponse* response, const RequestLimits& limits,
                     Done done) {
  std::vector<Task> tasks;
  CompiledStepRef step;
  Tensor examples;
  try {
    tasks = tasks_of(model, request);
    examples = serialized_examples(request.input());
    step = joint_step(model, tasks);
  } catch (...) {
    return done(current_error());
  }
  run_examples(
      model, step, examples, limits,
      [tasks = std::move(tasks), response, count = examples.dim(0)](const Fetched& fetched) {
        for (const Task& task : tasks) {
          messages::InferenceResult* result = response->add_results();
          result->mutable_model_spec()->set_signature_name(task.name);
          if (task.classifies)
            fill(*task.signature, fetched, count, result->mutable_classification_result());
          else
            fill(*task.signature, fetched, count, result->mutable_regression_result());
        }
      },
      std::move(done));
}

}  // namespace rill::serve
