#include "rill/serve/service/session_run.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

// "x" is "x:0".
std::string tensor_name(const std::string& name) {
  return name.find(':') == std::string::npos ? name + ":0" : name;
}

// The tensors of a request by the names that it has for them.
class RunNames {
 public:
  RunNames(const ModelServable& model, const messages::SessionRunRequest& request) {
    if (!request.tensor_name_is_alias()) return;
    signature_ = model.signature(signature_name_of(request.model_spec()));
    require(signature_ != nullptr, "There is no signature ",
            signature_name_of(request.model_spec()), " whose names could stand for tensors");
  }
  std::string input(const std::string& name) const {
    return signature_ == nullptr ? tensor_name(name) : of(signature_->inputs(), name);
  }
  std::string output(const std::string& name) const {
    return signature_ == nullptr ? tensor_name(name) : of(signature_->outputs(), name);
  }

 private:
  static std::string of(const auto& infos, const std::string& name) {
    const auto found = infos.find(name);
    require(found != infos.end(), "The signature has no ", name);
    return found->second.name();
  }
  const SignatureDef* signature_ = nullptr;
};

struct SessionRun {
  CompiledStepRef step;
  std::vector<Tensor> feeds;
  std::vector<std::pair<std::string, std::size_t>> fetches;  // their names, and places in the step
};

SessionRun prepared(const ModelServable& model, const messages::SessionRunRequest& request) {
  if (request.target_size() > 0)
    raise(Code::kUnimplemented, "SessionRun: targets are not supported, fetch a tensor instead");
  require(request.fetch_size() > 0, "The request fetches nothing");
  const RunNames names(model, request);
  std::map<std::string, const tensorflow::TensorProto*> fed;
  for (const auto& feed : request.feed())
    require(fed.emplace(names.input(feed.name()), &feed.tensor()).second, "The tensor ",
            feed.name(), " is fed twice");
  std::set<std::string> feeds, fetches;
  for (const auto& [name, tensor] : fed) feeds.insert(name);
  for (const std::string& name : request.fetch()) fetches.insert(names.output(name));
  if (!model.may_have_step(feeds, fetches))
    raise(Code::kResourceExhausted, "Too many kinds of steps were asked of this model");
  SessionRun run{.step = model.step(feeds, fetches)};
  for (const std::string& name : run.step->feeds) run.feeds.push_back(from_proto(*fed.at(name)));
  for (const std::string& name : request.fetch())
    run.fetches.emplace_back(name, std::ranges::lower_bound(run.step->fetches, names.output(name)) -
                                       run.step->fetches.begin());
  return run;
}

}  // namespace

void session_run(const ModelServable& model, const messages::SessionRunRequest& request,
                 messages::SessionRunResponse* response, const RequestLimits& limits, Done done) {
  SessionRun run;
  try {
    run = prepared(model, request);
  } catch (...) {
    return done(current_error());
  }
  model.run(run.step, std::move(run.feeds), limits,
            [fetches = std::move(run.fetches), response, done = std::move(done)](
                const std::vector<Tensor>& values, std::optional<Error> error) {
              if (!error) try {
                  for (const auto& [name, place] : fetches) {
                    auto* tensor = response->add_tensor();
                    tensor->set_name(name);
                    to_proto(values[place], tensor->mutable_tensor(), ProtoForm::fields);
                  }
                } catch (...) {
                  error = current_error();
                }
              done(std::move(error));
            });
}

}  // namespace rill::serve
