#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_CLASSIFICATION_SERVICE_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_CLASSIFICATION_SERVICE_H_

#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow_serving/apis/classification.pb.h"
#include "tensorflow_serving/model_servers/server_core.h"

namespace tensorflow {
namespace serving {

// Answers requests with the SavedModelBundles of a server, as PredictionService does.
class TensorflowClassificationServiceImpl {
 public:
  static Status Classify(const RunOptions& run_options, ServerCore* core,
                         const ClassificationRequest& request, ClassificationResponse* response);
};

}  // namespace serving
}  // namespace tensorflow

#endif
