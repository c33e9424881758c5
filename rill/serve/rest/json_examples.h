#pragma once

#include <string>

#include "tensorflow_serving/apis/classification.pb.h"
#include "tensorflow_serving/apis/regression.pb.h"

// Classification and regression in the REST interface.
namespace rill::serve {

// The body of a request: examples, which may have a context, and the name of a signature. Throws
// InvalidArgument with TensorFlow Serving's texts.
void parse_examples_request(const std::string& body, tensorflow::serving::ModelSpec* spec,
                            tensorflow::serving::Input* input);

std::string classify_response(const tensorflow::serving::ClassificationResult& result);
std::string regress_response(const tensorflow::serving::RegressionResult& result);

}  // namespace rill::serve
