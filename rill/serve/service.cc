#include "rill/serve/service.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"

namespace rill::serve {
namespace {

using messages::ModelSpec;

void name_model(const ServableId& id, ModelSpec* spec) {
  spec->set_name(id.name);
  spec->mutable_version()->set_value(id.version);
}
void name_model(const ServableId& id, auto* response) {
  name_model(id, response->mutable_model_spec());
}
void name_model(const ServableId& id, messages::MultiInferenceResponse* response) {
  for (auto& result : *response->mutable_results()) name_model(id, result.mutable_model_spec());
}

// Holds on to the model until it has answered.
template <class Request, class Response>
void answer(const ServerCore& core, const ModelSpec& spec, const Request& request,
            Response* response, const RequestLimits& limits, Done done,
            void (*ask)(const ModelServable&, const Request&, Response*, const RequestLimits&,
                        Done)) {
  Handle handle;
  const ModelServable* model = nullptr;
  try {
    handle = core.find(spec);
    model = &handle.as<ModelServable>();
  } catch (...) {
    return done(current_error());
  }
  ask(*model, request, response, limits,
      [handle, response, done = std::move(done)](std::optional<Error> error) {
        if (!error) name_model(handle.id(), response);
        done(std::move(error));
      });
}

void set_status(const std::optional<Error>& error, messages::StatusProto* status) {
  if (!error) return;
  status->set_error_code(static_cast<tensorflow::error::Code>(error->code()));
  status->set_error_message(error->message());
}

// Calls `work`, and then `done` with what it threw.
void guarded(const auto& work, const Done& done) {
  std::optional<Error> error;
  try {
    work();
  } catch (...) {
    error = current_error();
  }
  done(std::move(error));
}

}  // namespace

template <class... Result>
std::function<void(Result...)> Service::counted(const std::string& model, const char* api,
                                                std::function<void(Result...)> done) const {
  if (metrics_ == nullptr) return done;
  return [this, model, api, start = monotonic_nanos(), done = std::move(done)](Result... result) {
    const std::optional<Error>& error = std::get<sizeof...(Result) - 1>(std::tie(result...));
    metrics_->count_request(model, api, entry_, error ? error->code() : Code::kOk,
                            (monotonic_nanos() - start) / 1000);
    done(std::move(result)...);
  };
}

void Service::predict(const ModelSpec& spec, const ReadQuestion& read, const RequestLimits& limits,
                      Answered done) const {
  done = counted(spec.name(), "Predict", std::move(done));
  Handle handle;
  Question question;
  const ModelServable* model = nullptr;
  try {
    handle = core_.find(spec);
    model = &handle.as<ModelServable>();
    question = read(handle);
  } catch (...) {
    return done({}, current_error());
  }
  serve::predict(*model, std::move(question), limits,
                 [handle, done = std::move(done)](std::map<std::string, Tensor> outputs,
                                                  std::optional<Error> error) {
                   done(std::move(outputs), std::move(error));
                 });
}

void Service::predict(const messages::PredictRequest& request, messages::PredictResponse* response,
                      const RequestLimits& limits, Done done) const {
  const ModelSpec& spec = request.model_spec();
  answer(core_, spec, request, response, limits, counted(spec.name(), "Predict", std::move(done)),
         serve::predict);
}

void Service::classify(const messages::ClassificationRequest& request,
                       messages::ClassificationResponse* response, const RequestLimits& limits,
                       Done done) const {
  const ModelSpec& spec = request.model_spec();
  answer(core_, spec, request, response, limits, counted(spec.name(), "Classify", std::move(done)),
         serve::classify);
}

void Service::regress(const messages::RegressionRequest& request,
                      messages::RegressionResponse* response, const RequestLimits& limits,
                      Done done) const {
  const ModelSpec& spec = request.model_spec();
  answer(core_, spec, request, response, limits, counted(spec.name(), "Regress", std::move(done)),
         serve::regress);
}

void Service::multi_inference(const messages::MultiInferenceRequest& request,
                              messages::MultiInferenceResponse* response,
                              const RequestLimits& limits, Done done) const {
  const ModelSpec& spec =
      request.tasks().empty() ? ModelSpec::default_instance() : request.tasks(0).model_spec();
  answer(core_, spec, request, response, limits,
         counted(spec.name(), "MultiInference", std::move(done)), serve::multi_inference);
}

void Service::get_metadata(const messages::GetModelMetadataRequest& request,
                           messages::GetModelMetadataResponse* response, const RequestLimits&,
                           Done done) const {
  guarded(
      [&] {
        require(!request.metadata_field().empty(),
                "GetModelMetadataRequest must specify at least one metadata_field");
        const Handle handle = core_.find(request.model_spec());
        serve::get_metadata(handle.as<ModelServable>(), request, response);
        name_model(handle.id(), response);
      },
      done);
}

void Service::get_status(const messages::GetModelStatusRequest& request,
                         messages::GetModelStatusResponse* response, const RequestLimits&,
                         Done done) const {
  guarded(
      [&] {
        for (const VersionStatus& status : core_.statuses(request.model_spec())) {
          messages::ModelVersionStatus* version = response->add_model_version_status();
          version->set_version(status.version);
          version->set_state(static_cast<messages::ModelVersionStatus::State>(status.state));
          set_status(status.error, version->mutable_status());
        }
      },
      done);
}

void Service::reload_config(const messages::ReloadConfigRequest& request,
                            messages::ReloadConfigResponse* response, const RequestLimits& limits,
                            Done done) const {
  run_in_background([this, &request, response, limits, done = std::move(done)] {
    std::optional<Error> error;
    const auto give_up = [&] {
      try {
        limits.timeout_ms();
        return false;
      } catch (const Error& over) {
        error = over;
        return true;
      }
    };
    try {
      core_.reload(request.config(), give_up);
    } catch (...) {
      error = current_error();
    }
    set_status(error, response->mutable_status());
    done(std::move(error));
  });
}

}  // namespace rill::serve
