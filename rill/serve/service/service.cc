#include "rill/serve/service/service.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "rill/serve/telemetry/traces.h"
#include "rill/tensor/tensor_proto.h"

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

std::string signature_in(const auto& request) { return signature_name_of(request.model_spec()); }
std::string signature_in(const messages::MultiInferenceRequest&) { return {}; }

int examples_in(const messages::PredictRequest&) { return 0; }
int examples_in(const messages::SessionRunRequest&) { return 0; }
int examples_in(const auto& request) {
  const messages::Input& input = request.input();
  return input.example_list().examples_size() + input.example_list_with_context().examples_size();
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

void note(const messages::PredictRequest& request, const messages::PredictResponse& response,
          messages::PredictionLog* log) {
  *log->mutable_predict_log()->mutable_request() = request;
  *log->mutable_predict_log()->mutable_response() = response;
}
void note(const messages::ClassificationRequest& request,
          const messages::ClassificationResponse& response, messages::PredictionLog* log) {
  *log->mutable_classify_log()->mutable_request() = request;
  *log->mutable_classify_log()->mutable_response() = response;
}
void note(const messages::RegressionRequest& request, const messages::RegressionResponse& response,
          messages::PredictionLog* log) {
  *log->mutable_regress_log()->mutable_request() = request;
  *log->mutable_regress_log()->mutable_response() = response;
}
void note(const messages::MultiInferenceRequest& request,
          const messages::MultiInferenceResponse& response, messages::PredictionLog* log) {
  *log->mutable_multi_inference_log()->mutable_request() = request;
  *log->mutable_multi_inference_log()->mutable_response() = response;
}

void note(const messages::SessionRunRequest& request, const messages::SessionRunResponse& response,
          messages::PredictionLog* log) {
  *log->mutable_session_run_log()->mutable_request() = request;
  *log->mutable_session_run_log()->mutable_response() = response;
}

void fill(const std::map<std::string, Tensor>& tensors, auto* protos) {
  for (const auto& [name, tensor] : tensors) to_proto(tensor, &(*protos)[name], ProtoForm::fields);
}

// A logged request must not keep an answer from being sent.
void guarded_log(const auto& work) {
  try {
    work();
  } catch (...) {
    log(LogLevel::kWarning, "A request was not logged: ", current_error().what());
  }
}

}  // namespace

// A request, from when it had come until its answer was handed over: where it is counted, and who
// notes it.
class Service::Asked {
 public:
  Asked(const Service& service, Api api, const RequestLimits& limits)
      : metrics_(service.metrics_),
        api_(static_cast<std::size_t>(api)),
        entry_(static_cast<std::size_t>(service.entry_)),
        begin_(limits.received_nanos != 0 ? limits.received_nanos : monotonic_nanos()),
        record_(limits.record) {
    if (metrics_ != nullptr) metrics_->in_flight(service.entry_).add(1);
  }
  // No version is known that could answer. What clients invent has no name of its own.
  void nowhere(const ServerCore& core, const ModelSpec& spec) {
    if (model_ != nullptr || metrics_ == nullptr || !core.has_model(spec.name())) return;
    model_ = &metrics_->model(spec.name());
    if (record_ != nullptr) record_->model = spec.name();
  }
  // The model is known now.
  void at(const Handle& handle, const ModelServable& model, const std::string& signature,
          const RequestLogs* logs) {
    if (logs != nullptr) logger_ = logs->sampled(handle.id().name);
    if (record_ != nullptr) {
      record_->model = handle.id().name;
      record_->version = handle.id().version;
      record_->signature = signature_name_of(signature);
    }
    if (metrics_ == nullptr) return;
    VersionMetrics& version = model.kept().get<VersionMetrics>([&] {
      std::vector<std::string> names;
      for (const auto& [name, definition] : model.signatures()) names.push_back(name);
      return metrics_->version(handle.id(), names);
    });
    model_ = &version.model;
    signature_ = &version.signature(signature_name_of(signature));
  }
  void count_examples(int count) const {
    if (model_ != nullptr && count > 0) model_->examples.add(count);
  }
  Histogram* runtime_micros() const {
    return model_ == nullptr ? nullptr : &model_->runtime_micros[api_];
  }
  RequestLogger* logger() const { return logger_.get(); }

  void end(Code code) const {
    if (metrics_ == nullptr) return;
    const std::int64_t micros = (monotonic_nanos() - begin_) / 1000;
    ModelMetrics& model = model_ == nullptr ? metrics_->unknown_model() : *model_;
    model.requests[api_][entry_].add(code, micros);
    if (signature_ != nullptr) (*signature_)[api_][entry_].add(code, micros);
    if (record_ != nullptr && !record_->traceparent.empty() && code == Code::kOk)
      show(&model.requests[api_][entry_].exemplar, micros);
    metrics_->in_flight(static_cast<Entry>(entry_)).add(-1);
  }

 private:
  void show(Exemplar* exemplar, std::int64_t micros) const {
    const auto trace = parse_traceparent(record_->traceparent);
    if (!trace || !trace->is_sampled) return;
    exemplar->set(trace->trace_id, micros, wall_micros());
    if (signature_ != nullptr)
      (*signature_)[api_][entry_].exemplar.set(trace->trace_id, micros, wall_micros());
  }

  Metrics* metrics_;
  std::size_t api_, entry_;
  std::int64_t begin_;
  std::shared_ptr<net::CallRecord> record_;
  ModelMetrics* model_ = nullptr;
  RequestTable* signature_ = nullptr;
  std::shared_ptr<RequestLogger> logger_;
};

Service::~Service() { shadows_.wait(); }

std::optional<Error> Service::early_refusal(Api api, const ModelSpec& spec,
                                            const RequestLimits& limits) const {
  try {
    const Handle handle = core_.find(spec);
    const auto& model = handle.as<ModelServable>();
    try {
      model.require_room(limits);
    } catch (const Error& error) {
      Asked asked(*this, api, limits);
      asked.at(handle, model, spec.signature_name(), nullptr);
      asked.end(error.code());
      return error;
    }
  } catch (const Error&) {  // what else is wrong with it is told when it is there
  }
  return std::nullopt;
}

// Holds on to the model until it has answered.
template <class Request, class Response>
void Service::answer(Api api, const ModelSpec& spec, const Request& request, Response* response,
                     RequestLimits limits, Done done,
                     void (*ask)(const ModelServable&, const Request&, Response*,
                                 const RequestLimits&, Done)) const {
  Asked asked(*this, api, limits);
  Handle handle;
  const ModelServable* model = nullptr;
  try {
    handle = core_.find(spec);
    model = &handle.as<ModelServable>();
    asked.at(handle, *model, spec.signature_name(), logs_);
    asked.count_examples(examples_in(request));
    model->require_room(limits);
  } catch (...) {
    const Error error = current_error();
    asked.nowhere(core_, spec);
    done(error);
    return asked.end(error.code());
  }
  limits.runtime_micros = asked.runtime_micros();
  if (settings_ != nullptr)
    if (const auto shadow = settings_->shadow(spec.name()))
      shadows_.ask(core_, *shadow, metrics_, request, ask);
  ask(*model, request, response, limits,
      [asked, handle, &request, response, done = std::move(done)](std::optional<Error> error) {
        const Code code = error ? error->code() : Code::kOk;
        if (!error) {
          name_model(handle.id(), response);
          if (RequestLogger* logger = asked.logger())
            guarded_log([&] {
              messages::PredictionLog entry;
              note(request, *response, &entry);
              logger->log(handle.id(), signature_in(request), &entry);
            });
        }
        done(std::move(error));
        asked.end(code);
      });
}

void Service::predict(const ModelSpec& spec, const ReadQuestion& read, const RequestLimits& given,
                      Answered done) const {
  Asked asked(*this, Api::kPredict, given);
  RequestLimits limits = given;
  Handle handle;
  Question question;
  const ModelServable* model = nullptr;
  std::shared_ptr<messages::PredictionLog> entry;  // when it is noted
  try {
    handle = core_.find(spec);
    model = &handle.as<ModelServable>();
    asked.at(handle, *model, spec.signature_name(), nullptr);
    model->require_room(limits);
    question = read(handle);
    asked.at(handle, *model, question.signature, logs_);
    if (asked.logger() != nullptr)
      guarded_log([&] {
        entry = std::make_shared<messages::PredictionLog>();
        auto* request = entry->mutable_predict_log()->mutable_request();
        name_model(handle.id(), request);
        request->mutable_model_spec()->set_signature_name(signature_name_of(question.signature));
        fill(question.inputs, request->mutable_inputs());
        for (const std::string& name : question.output_filter) request->add_output_filter(name);
      });
  } catch (...) {
    const Error error = current_error();
    asked.nowhere(core_, spec);
    done({}, error);
    return asked.end(error.code());
  }
  limits.runtime_micros = asked.runtime_micros();
  if (settings_ != nullptr)
    if (const auto shadow = settings_->shadow(spec.name()))
      shadows_.ask(core_, *shadow, metrics_, question);
  const std::string signature = signature_name_of(question.signature);
  serve::predict(*model, std::move(question), limits,
                 [asked, handle, entry, signature, done = std::move(done)](
                     std::map<std::string, Tensor> outputs, std::optional<Error> error) {
                   const Code code = error ? error->code() : Code::kOk;
                   if (!error && entry != nullptr)
                     guarded_log([&] {
                       auto* response = entry->mutable_predict_log()->mutable_response();
                       name_model(handle.id(), response);
                       response->mutable_model_spec()->set_signature_name(signature);
                       fill(outputs, response->mutable_outputs());
                       asked.logger()->log(handle.id(), signature, entry.get());
                     });
                   done(std::move(outputs), std::move(error));
                   asked.end(code);
                 });
}

void Service::predict(const messages::PredictRequest& request, messages::PredictResponse* response,
                      const RequestLimits& limits, Done done) const {
  answer(Api::kPredict, request.model_spec(), request, response, limits, std::move(done),
         serve::predict);
}

void Service::classify(const messages::ClassificationRequest& request,
                       messages::ClassificationResponse* response, const RequestLimits& limits,
                       Done done) const {
  answer(Api::kClassify, request.model_spec(), request, response, limits, std::move(done),
         serve::classify);
}

void Service::regress(const messages::RegressionRequest& request,
                      messages::RegressionResponse* response, const RequestLimits& limits,
                      Done done) const {
  answer(Api::kRegress, request.model_spec(), request, response, limits, std::move(done),
         serve::regress);
}

void Service::multi_inference(const messages::MultiInferenceRequest& request,
                              messages::MultiInferenceResponse* response,
                              const RequestLimits& limits, Done done) const {
  const ModelSpec& spec =
      request.tasks().empty() ? ModelSpec::default_instance() : request.tasks(0).model_spec();
  answer(Api::kMultiInference, spec, request, response, limits, std::move(done),
         serve::multi_inference);
}

void Service::session_run(const messages::SessionRunRequest& request,
                          messages::SessionRunResponse* response, const RequestLimits& limits,
                          Done done) const {
  answer(Api::kSessionRun, request.model_spec(), request, response, limits, std::move(done),
         serve::session_run);
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
      require(request.config().has_model_config_list(),
              "ServerModelConfig type not supported by HandleReloadConfigRequest. Only ",
              "ModelConfigList is currently supported");
      core_.require_base_paths(request.config());
      core_.reload(request.config(), give_up);
    } catch (...) {
      error = current_error();
    }
    set_status(error, response->mutable_status());
    done(std::move(error));
  });
}

}  // namespace rill::serve
