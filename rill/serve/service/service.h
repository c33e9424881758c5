#pragma once

#include "rill/serve/metrics/metrics.h"
#include "rill/serve/model/requests.h"
#include "rill/serve/service/request_log.h"
#include "rill/serve/service/server_core.h"
#include "rill/serve/service/session_run.h"
#include "rill/serve/service/shadows.h"
#include "tensorflow_serving/apis/get_model_status.pb.h"
#include "tensorflow_serving/apis/model_management.pb.h"

namespace rill::serve {

// What a client may ask, however it asks: finds the model, lets it answer, and says in the answer
// which one it was. As in model/requests.h `done` is called once, and nothing is thrown.
class Service {
 public:
  // Counts requests in `metrics`, if there are any, as come through `entry`, and notes some in
  // `logs`, if there are any.
  explicit Service(ServerCore& core, Metrics* metrics = nullptr, Entry entry = Entry::kGrpc,
                   const RequestLogs* logs = nullptr, std::shared_ptr<ModelSettings> settings = {})
      : core_(core),
        metrics_(metrics),
        entry_(entry),
        logs_(logs),
        settings_(std::move(settings)) {}
  // Waits until nobody is asked any more beside others.
  ~Service();
  ServerCore& core() const { return core_; }
  Metrics* metrics() const { return metrics_; }

  // Prediction by tensors, for who must know the model, and which version it is, to understand the
  // request and to answer it: `read` may throw.
  using ReadQuestion = std::function<Question(const Handle&)>;
  void predict(const messages::ModelSpec& spec, const ReadQuestion& read,
               const RequestLimits& limits, Answered done) const;

  // Whether a request for this model would be refused now, whatever else is in it; counts it then.
  std::optional<Error> early_refusal(Api api, const messages::ModelSpec& spec,
                                     const RequestLimits& limits) const;

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
  void session_run(const messages::SessionRunRequest& request,
                   messages::SessionRunResponse* response, const RequestLimits& limits,
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
  class Asked;
  template <class Request, class Response>
  void answer(Api api, const messages::ModelSpec& spec, const Request& request, Response* response,
              RequestLimits limits, Done done,
              void (*ask)(const ModelServable&, const Request&, Response*, const RequestLimits&,
                          Done)) const;

  ServerCore& core_;
  Metrics* const metrics_;
  const Entry entry_;
  const RequestLogs* const logs_;
  const std::shared_ptr<ModelSettings> settings_;
  mutable Shadows shadows_;
};

}  // namespace rill::serve
