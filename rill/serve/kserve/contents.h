#pragma once

#include "inference/grpc_inference_service.pb.h"
#include "rill/serve/model/requests.h"

// Questions and answers as KServe's messages: tensors either all as raw bytes, or each as a list of
// elements ("contents"). The latter have no room for FP16 and BF16.
namespace rill::serve {

// Throws InvalidArgument naming the input that is wrong.
Question kserve_question(const inference::ModelInferRequest& request);

// The outputs in the order in which they were asked for, in the form of the inputs where that can
// be. Throws Unimplemented for types that the protocol does not have.
void write_kserve_answer(const inference::ModelInferRequest& request,
                         const std::map<std::string, Tensor>& outputs,
                         inference::ModelInferResponse* response);

}  // namespace rill::serve
