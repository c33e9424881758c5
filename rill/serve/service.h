#pragma once

#include "rill/serve/model/requests.h"
#include "rill/serve/server_core.h"
#include "tensorflow_serving/apis/get_model_status.pb.h"
#include "tensorflow_serving/apis/model_management.pb.h"

namespace rill::serve {

// What a client may ask, however it asks: finds the model, lets it answer, and says in the answer
// which one it was. As in model/requests.h `done` is called once, and nothing is thrown.
class Service {
 public:
  explicit Service(ServerCore& core) : core_(core) {}
  ServerCore& core() const { return core_; }

  void predict(const messages::PredictRequest& request, messages::PredictResponse* response,
               const RequestLimits& limits, Done done) const;
  void classify(const messages::ClassificationRequest& request,
                messages::ClassificationResponse* response, const RequestLimits& limits,
                Done done) const;
  void regress(const messages::RegressionRequest& request, messages::RegressionResponse* response,
               const RequestLimits& limits, Done done) const;
  void multi_inference(const messages::MultiInferenceRequest& request,
                       messages::MultiInferenceResponse* response, const RequestLimits& limits,
                       Done done) const;
  void get_metadata(const messages::GetModelMetadataRequest& request,
                    messages::GetModelMetadataResponse* response, const RequestLimits& limits,
                    Done done) const;
  void get_status(const messages::GetModelStatusRequest& request,
                  messages::GetModelStatusResponse* response, const RequestLimits& limits,
                  Done done) const;
  // Waits for the models on a thread of its own.
  void reload_config(const messages::ReloadConfigRequest& request,
                     messages::ReloadConfigResponse* response, const RequestLimits& limits,
                     Done done) const;

 private:
  ServerCore& core_;
};

}  // namespace rill::serve
