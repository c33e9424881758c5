#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_MULTI_INFERENCE_HELPER_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_MULTI_INFERENCE_HELPER_H_

#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow_serving/apis/inference.pb.h"
#include "tensorflow_serving/model_servers/server_core.h"

namespace tensorflow {
namespace serving {

// Answers requests with the SavedModelBundles of a server, as PredictionService does.
Status RunMultiInferenceWithServerCore(const RunOptions& run_options, ServerCore* core,
                                       const MultiInferenceRequest& request,
                                       MultiInferenceResponse* response);

}  // namespace serving
}  // namespace tensorflow

#endif
