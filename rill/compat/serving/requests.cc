#include "rill/serve/model/requests.h"

#include <future>

#include "rill/base/clock.h"
#include "rill/compat/convert.h"
#include "rill/compat/serving/model_session.h"
#include "tensorflow_serving/servables/tensorflow/classification_service.h"
#include "tensorflow_serving/servables/tensorflow/get_model_metadata_impl.h"
#include "tensorflow_serving/servables/tensorflow/multi_inference_helper.h"
#include "tensorflow_serving/servables/tensorflow/predict_impl.h"
#include "tensorflow_serving/servables/tensorflow/regression_service.h"

namespace tensorflow {
namespace serving {
namespace {

using rill::serve::ModelServable;

// The model that is asked, for as long as it is.
struct Asked {
  Asked(ServerCore* core, const ModelSpec& spec) {
    const Status status = core->GetServableHandle(spec, &bundle);
    if (!status.ok()) throw to_error(status);
    model = model_in(bundle->session.get());
    if (model == nullptr)
      rill::raise(rill::Code::kUnimplemented, "requests to a session that is not this server's");
  }
  void tell(ModelSpec* spec) const {
    spec->set_name(bundle.id().name);
    spec->mutable_version()->set_value(bundle.id().version);
  }
  ServableHandle<SavedModelBundle> bundle;
  const ModelServable* model = nullptr;
};

template <class Request, class Response>
Status ask(const RunOptions& options, ServerCore* core, const ModelSpec& spec,
           const Request& request, Response* response,
           void (*answer)(const ModelServable&, const Request&, Response*,
                          const rill::serve::RequestLimits&, rill::serve::Done),
           const std::function<void(const Asked&)>& tell) {
  return guarded([&] {
    const Asked asked(core, spec);
    rill::serve::RequestLimits limits;
    if (options.timeout_in_ms() > 0)
      limits.deadline_nanos = rill::monotonic_nanos() + options.timeout_in_ms() * 1'000'000;
    std::promise<std::optional<rill::Error>> ended;
    answer(*asked.model, request, response, limits,
           [&](std::optional<rill::Error> error) { ended.set_value(std::move(error)); });
    if (const auto error = ended.get_future().get()) throw *error;
    tell(asked);
  });
}

template <class Request, class Response>
Status ask(const RunOptions& options, ServerCore* core, const Request& request, Response* response,
           void (*answer)(const ModelServable&, const Request&, Response*,
                          const rill::serve::RequestLimits&, rill::serve::Done)) {
  return ask(options, core, request.model_spec(), request, response, answer,
             [&](const Asked& asked) { asked.tell(response->mutable_model_spec()); });
}

}  // namespace

Status TensorflowPredictor::PredictWithModelSpec(const RunOptions& run_options, ServerCore* core,
                                                 const ModelSpec& model_spec,
                                                 const PredictRequest& request,
                                                 PredictResponse* response) {
  return ask<PredictRequest, PredictResponse>(
      run_options, core, model_spec, request, response, rill::serve::predict,
      [&](const Asked& asked) { asked.tell(response->mutable_model_spec()); });
}

Status TensorflowPredictor::Predict(const RunOptions& run_options, ServerCore* core,
                                    const PredictRequest& request, PredictResponse* response) {
  if (!request.has_model_spec()) return errors::InvalidArgument("Missing ModelSpec");
  return PredictWithModelSpec(run_options, core, request.model_spec(), request, response);
}

Status TensorflowClassificationServiceImpl::Classify(const RunOptions& run_options,
                                                     ServerCore* core,
                                                     const ClassificationRequest& request,
                                                     ClassificationResponse* response) {
  if (!request.has_model_spec()) return errors::InvalidArgument("Missing ModelSpec");
  return ask<ClassificationRequest, ClassificationResponse>(run_options, core, request, response,
                                                            rill::serve::classify);
}

Status TensorflowRegressionServiceImpl::Regress(const RunOptions& run_options, ServerCore* core,
                                                const RegressionRequest& request,
                                                RegressionResponse* response) {
  if (!request.has_model_spec()) return errors::InvalidArgument("Missing ModelSpec");
  return ask<RegressionRequest, RegressionResponse>(run_options, core, request, response,
                                                    rill::serve::regress);
}

Status RunMultiInferenceWithServerCore(const RunOptions& run_options, ServerCore* core,
                                       const MultiInferenceRequest& request,
                                       MultiInferenceResponse* response) {
  if (request.tasks_size() == 0)
    return errors::InvalidArgument("Inference request must have tasks");
  return ask<MultiInferenceRequest, MultiInferenceResponse>(
      run_options, core, request.tasks(0).model_spec(), request, response,
      rill::serve::multi_inference, [&](const Asked& asked) {
        for (auto& result : *response->mutable_results()) asked.tell(result.mutable_model_spec());
      });
}

Status GetModelMetadataImpl::GetModelMetadata(ServerCore* core,
                                              const GetModelMetadataRequest& request,
                                              GetModelMetadataResponse* response) {
  return guarded([&] {
    const Asked asked(core, request.model_spec());
    rill::serve::get_metadata(*asked.model, request, response);
    asked.tell(response->mutable_model_spec());
  });
}

}  // namespace serving
}  // namespace tensorflow
