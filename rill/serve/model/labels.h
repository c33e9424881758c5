#pragma once

#include <string>
#include <vector>

#include "rill/serve/model/requests.h"

// Classification and regression of examples, alone or several together.
namespace rill::serve {

// A signature that takes serialised examples. Throws InvalidArgument when the model has none of
// that name, or it is of another method (of `method`, "classification" or "regression", as texts
// say it).
const SignatureDef& example_signature(const ModelServable& model, const std::string& name,
                                      const char* method, const char* kind);
// The tensors that are fetched for it.
std::set<std::string> label_fetches(const SignatureDef& signature);
std::string example_input(const SignatureDef& signature);  // the tensor that takes the examples

// Fills the results from the tensors that a step fetched. Throws InvalidArgument when they are not
// of the shapes and types that such a signature has.
struct Fetched {
  const CompiledStep& step;
  const std::vector<Tensor>& values;
  const Tensor* find(const SignatureDef& signature, const char* output) const;
};
void fill(const SignatureDef& signature, const Fetched& fetched, std::int64_t example_count,
          messages::ClassificationResult* result);
void fill(const SignatureDef& signature, const Fetched& fetched, std::int64_t example_count,
          messages::RegressionResult* result);

// Runs a step on examples, then `finish`, which may throw, on what came of it.
void run_examples(const ModelServable& model, const CompiledStepRef& step, const Tensor& examples,
                  const RequestLimits& limits, std::function<void(const Fetched&)> finish,
                  Done done);

}  // namespace rill::serve
