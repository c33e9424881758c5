#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_REGRESSION_SERVICE_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_REGRESSION_SERVICE_H_

#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow_serving/apis/regression.pb.h"
#include "tensorflow_serving/model_servers/server_core.h"

namespace tensorflow {
namespace serving {

// Answers requests with the SavedModelBundles of a server, as PredictionService does.
class TensorflowRegressionServiceImpl {
 public:
  static Status Regress(const RunOptions& run_options, ServerCore* core,
                        const RegressionRequest& request, RegressionResponse* response);
};

}  // namespace serving
}  // namespace tensorflow

#endif
