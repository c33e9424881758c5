#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_PREDICT_IMPL_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_PREDICT_IMPL_H_

#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow_serving/apis/predict.pb.h"
#include "tensorflow_serving/model_servers/server_core.h"

namespace tensorflow {
namespace serving {

// Answers requests with the SavedModelBundles of a server, as PredictionService does.
class TensorflowPredictor {
 public:
  explicit TensorflowPredictor(bool use_saved_model = true) { (void)use_saved_model; }
  Status Predict(const RunOptions& run_options, ServerCore* core, const PredictRequest& request,
                 PredictResponse* response);
  // With a model that another part of the request names.
  Status PredictWithModelSpec(const RunOptions& run_options, ServerCore* core,
                              const ModelSpec& model_spec, const PredictRequest& request,
                              PredictResponse* response);
};

}  // namespace serving
}  // namespace tensorflow

#endif
