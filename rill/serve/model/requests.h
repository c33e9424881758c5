#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rill/serve/model/model.h"
#include "tensorflow_serving/apis/classification.pb.h"
#include "tensorflow_serving/apis/get_model_metadata.pb.h"
#include "tensorflow_serving/apis/inference.pb.h"
#include "tensorflow_serving/apis/predict.pb.h"
#include "tensorflow_serving/apis/regression.pb.h"

// What a model answers, with TensorFlow Serving's messages, checks and texts. Each function fills
// the response but for the name and version of the model, and calls `done` once, possibly before it
// returns; request, response and model must stay until then. Nothing is thrown.
namespace rill::serve {

namespace messages = tensorflow::serving;
using Done = std::function<void(std::optional<Error>)>;

// The same of tensors, by their names in the signature.
struct Question {
  std::string signature;  // "": the default
  std::map<std::string, Tensor> inputs;
  std::vector<std::string> output_filter;  // empty: all
};
using Answered = std::function<void(std::map<std::string, Tensor>, std::optional<Error>)>;
void predict(const ModelServable& model, Question question, const RequestLimits& limits,
             Answered done);

void predict(const ModelServable& model, const messages::PredictRequest& request,
             messages::PredictResponse* response, const RequestLimits& limits, Done done);
void classify(const ModelServable& model, const messages::ClassificationRequest& request,
              messages::ClassificationResponse* response, const RequestLimits& limits, Done done);
void regress(const ModelServable& model, const messages::RegressionRequest& request,
             messages::RegressionResponse* response, const RequestLimits& limits, Done done);
void multi_inference(const ModelServable& model, const messages::MultiInferenceRequest& request,
                     messages::MultiInferenceResponse* response, const RequestLimits& limits,
                     Done done);
// Throws InvalidArgument for fields that there are not.
void get_metadata(const ModelServable& model, const messages::GetModelMetadataRequest& request,
                  messages::GetModelMetadataResponse* response);

// The signature that a ModelSpec names, by default "serving_default".
std::string signature_name_of(const std::string& name);
inline std::string signature_name_of(const messages::ModelSpec& spec) {
  return signature_name_of(spec.signature_name());
}

// The examples of a request, serialised, each behind the context that all have in common. Throws
// InvalidArgument when there are none.
Tensor serialized_examples(const messages::Input& input);

}  // namespace rill::serve
