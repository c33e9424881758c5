#include "rill/serve/model/ensemble.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rill/base/files.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/model/requests.h"

namespace rill::serve {
namespace {

using serving::Ensemble;
using serving::EnsembleStep;

constexpr int kMostDepth = 8;  // of ensembles that ask ensembles

std::string called(const EnsembleStep& step) {
  return str_cat("the step of model ", step.model_name());
}

// One request, while its steps are asked. Steps begin when their inputs are there, so those that
// need nothing of each other run side by side as far as models have threads for them.
class EnsembleRun : public std::enable_shared_from_this<EnsembleRun> {
 public:
  EnsembleRun(std::shared_ptr<const Ensemble> ensemble, std::shared_ptr<const ModelFinder> finder,
              const CompiledStepRef& wanted, std::vector<Tensor> feeds, RequestLimits limits,
              TensorsDone done)
      : ensemble_(std::move(ensemble)),
        finder_(std::move(finder)),
        wanted_(wanted),
        limits_(std::move(limits)),
        done_(std::move(done)),
        has_begun_(static_cast<std::size_t>(ensemble_->step_size())) {
    for (std::size_t i = 0; i < feeds.size(); ++i) tensors_[wanted->feeds[i]] = std::move(feeds[i]);
    limits_.runtime_micros = nullptr;  // the whole is counted
    limits_.record = nullptr;
    ++limits_.depth;
  }

  // Begins what can begin; answers when everything that is wanted is there.
  void proceed() {
    std::vector<int> ready;
    std::vector<Tensor> answer;
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
      if (has_all(wanted_->fetches)) {
        for (const std::string& name : wanted_->fetches) answer.push_back(tensors_.at(name));
        is_over_ = true;
      } else {
        for (int i = 0; i < ensemble_->step_size(); ++i) {
          const auto at = static_cast<std::size_t>(i);
          if (has_begun_[at] || !has_inputs(ensemble_->step(i))) continue;
          has_begun_[at] = true;
          ready.push_back(i);
        }
      }
    }
    if (!answer.empty() || wanted_->fetches.empty()) return done_(std::move(answer), {});
    for (const int i : ready) ask(ensemble_->step(i));
  }

 private:
  bool has_all(const std::vector<std::string>& names) const {
    return std::ranges::all_of(names, [&](const auto& name) { return tensors_.contains(name); });
  }
  bool has_inputs(const EnsembleStep& step) const {
    return std::ranges::all_of(step.input_map(),
                               [&](const auto& input) { return tensors_.contains(input.second); });
  }

  void ask(const EnsembleStep& step) {
    Question question{.signature = step.signature_name()};
    messages::ModelSpec spec;
    spec.set_name(step.model_name());
    if (step.version() > 0) spec.mutable_version()->set_value(step.version());
    for (const auto& [name, tensor] : step.output_map()) question.output_filter.push_back(name);
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
      for (const auto& [name, tensor] : step.input_map())
        question.inputs.emplace(name, tensors_.at(tensor));
    }
    try {
      const Handle handle = finder_->find(spec);
      predict(handle.as<ModelServable>(), std::move(question), limits_,
              [self = shared_from_this(), handle, &step](std::map<std::string, Tensor> outputs,
                                                         std::optional<Error> error) {
                self->take(step, std::move(outputs), std::move(error));
              });
    } catch (...) {
      fail(step, current_error());
    }
  }

  void take(const EnsembleStep& step, std::map<std::string, Tensor> outputs,
            std::optional<Error> error) {
    if (error) return fail(step, *error);
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [name, tensor] : step.output_map())
        tensors_[tensor] = std::move(outputs.at(name));
    }
    proceed();
  }

  void fail(const EnsembleStep& step, const Error& error) {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_over_, true)) return;
    }
    done_({}, Error(error.code(), str_cat("In ", called(step), ": ", error.message())));
  }

  const std::shared_ptr<const Ensemble> ensemble_;
  const std::shared_ptr<const ModelFinder> finder_;
  const CompiledStepRef wanted_;
  RequestLimits limits_;
  const TensorsDone done_;
  std::mutex mutex_;
  std::map<std::string, Tensor> tensors_;  // guarded by mutex_, as what follows
  std::vector<bool> has_begun_;
  bool is_over_ = false;
};

class EnsembleRunner : public StepRunner {
 public:
  EnsembleRunner(std::shared_ptr<const Ensemble> ensemble,
                 std::shared_ptr<const ModelFinder> finder)
      : ensemble_(std::move(ensemble)), finder_(std::move(finder)) {}
  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    if (limits.depth >= kMostDepth)
      return done(
          {}, Error(Code::kFailedPrecondition,
                    str_cat("Ensembles ask each other more than ", kMostDepth, " levels deep")));
    std::make_shared<EnsembleRun>(ensemble_, finder_, step, std::move(feeds), limits,
                                  std::move(done))
        ->proceed();
  }

 private:
  const std::shared_ptr<const Ensemble> ensemble_;
  const std::shared_ptr<const ModelFinder> finder_;
};

class EnsembleLoader : public Loader {
 public:
  EnsembleLoader(ServableId id, std::string path, std::shared_ptr<const ModelFinder> finder)
      : id_(std::move(id)), path_(std::move(path)), finder_(std::move(finder)) {}
  std::shared_ptr<Servable> load() override {
    auto ensemble = std::make_shared<Ensemble>();
    read_text_config(join_path(path_, "ensemble.pbtxt"), ensemble.get());
    check_ensemble(*ensemble);
    Signatures signatures;
    for (const auto& [name, signature] : ensemble->signature_def()) {
      signatures[name] = signature;
      if (signature.method_name().empty())
        signatures[name].set_method_name("tensorflow/serving/predict");
    }
    return std::make_shared<ModelServable>(
        std::move(signatures), std::make_unique<EnsembleRunner>(std::move(ensemble), finder_),
        id_.name);
  }

 private:
  const ServableId id_;
  const std::string path_;
  const std::shared_ptr<const ModelFinder> finder_;
};

void check_signature(const std::string& name, const SignatureDef& signature,
                     const Ensemble& ensemble) {
  std::set<std::string> known;
  for (const auto& [alias, info] : signature.inputs()) known.insert(info.name());
  // Round after round, as long as steps find what they need.
  std::vector<bool> has_run(static_cast<std::size_t>(ensemble.step_size()));
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int i = 0; i < ensemble.step_size(); ++i) {
      const EnsembleStep& step = ensemble.step(i);
      if (has_run[static_cast<std::size_t>(i)] ||
          !std::ranges::all_of(step.input_map(),
                               [&](const auto& input) { return known.contains(input.second); }))
        continue;
      has_run[static_cast<std::size_t>(i)] = goes_on = true;
      for (const auto& [alias, tensor] : step.output_map())
        require(known.insert(tensor).second, "Two give the tensor ", tensor, " of signature ", name,
                " of the ensemble: the second is ", called(step));
    }
  }
  for (const auto& [alias, info] : signature.outputs())
    require(known.contains(info.name()), "Nobody gives the tensor ", info.name(), " that output ",
            alias, " of signature ", name, " of the ensemble is");
}

}  // namespace

void ModelFinder::set(Find find) {
  auto shared = std::make_shared<const Find>(std::move(find));
  const std::lock_guard lock(mutex_);
  find_ = std::move(shared);
}

Handle ModelFinder::find(const tensorflow::serving::ModelSpec& spec) const {
  std::shared_ptr<const Find> find;
  {
    const std::lock_guard lock(mutex_);
    find = find_;
  }
  if (find == nullptr) raise(Code::kUnavailable, "There are no models yet");
  return (*find)(spec);
}

void check_ensemble(const Ensemble& ensemble) {
  require(ensemble.step_size() > 0, "The ensemble has no steps");
  require(!ensemble.signature_def().empty(), "The ensemble has no signatures");
  for (const EnsembleStep& step : ensemble.step()) {
    require(!step.model_name().empty(), "A step of the ensemble names no model");
    require(!step.output_map().empty(), "Nothing is taken of ", called(step));
  }
  for (const auto& [name, signature] : ensemble.signature_def())
    check_signature(name, signature, ensemble);
}

LoaderRef EnsembleAdapter::adapt(const ServableId& id, std::string path) {
  return std::make_shared<EnsembleLoader>(id, std::move(path), finder_);
}

}  // namespace rill::serve
