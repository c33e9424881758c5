#include "rill/serve/model/model.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/net/long_work.h"
#include "rill/serve/model/step_profile.h"
#include "rill/serve/model/step_watch.h"

namespace rill::serve {
namespace {

constexpr std::size_t kStepsKept = 256;

std::vector<Output> tensors(const Graph& graph, const std::set<std::string>& names) {
  std::vector<Output> outputs;
  for (const std::string& name : names) outputs.push_back(graph.tensor(name));
  return outputs;
}

}  // namespace

std::int64_t RequestLimits::timeout_ms() const {
  if (is_gone && is_gone()) raise(Code::kCancelled, "The client is gone");
  if (deadline_nanos == 0) return 0;
  const std::int64_t left = deadline_nanos - monotonic_nanos();
  if (left <= 0) raise(Code::kDeadlineExceeded, "The deadline of the request has passed");
  return std::max<std::int64_t>(1, left / 1'000'000);
}

void DirectRunner::run(const CompiledStepRef& step, std::vector<Tensor> feeds,
                       const RequestLimits& limits, TensorsDone done) {
  std::vector<Tensor> values;
  std::optional<Error> error;
  try {
    const std::int64_t timeout_ms = limits.timeout_ms();
    net::before_long_work();
    StepWatch::shared().run([&] { return is_unwanted(limits); },
                            [&] { values = run_step(*step, feeds, timeout_ms); });
  } catch (...) {
    error = told_error(current_error(), limits);
  }
  done(std::move(values), std::move(error));
}

std::vector<Tensor> run_step(const CompiledStep& step, std::span<const Tensor> feeds,
                             std::int64_t timeout_ms) {
  StepProfile& profile = StepProfile::shared();
  if (!profile.wants(step.model)) return step.callable(feeds, {.timeout_ms = timeout_ms});
  StepStats stats;
  std::vector<Tensor> values =
      step.callable(feeds, {.timeout_ms = timeout_ms, .trace = true}, &stats);
  profile.add(step.model, std::move(stats));
  return values;
}

ModelServable::ModelServable(saved_model::Model model, std::unique_ptr<StepRunner> runner,
                             std::string name)
    : name_(std::move(name)),
      graph_(std::move(model.graph)),
      session_(std::move(model.session)),
      runner_(std::move(runner)) {
  for (auto& [name, signature] : *model.meta_graph.mutable_signature_def())
    signatures_[name] = std::move(signature);
}

ModelServable::ModelServable(Signatures signatures, std::unique_ptr<StepRunner> runner,
                             std::string name)
    : name_(std::move(name)), signatures_(std::move(signatures)), runner_(std::move(runner)) {}

ModelServable::~ModelServable() = default;

TensorsDone ModelServable::timed(const RequestLimits& limits, TensorsDone done) {
  if (limits.runtime_micros == nullptr) return done;
  return [micros = limits.runtime_micros, record = limits.record, begin = monotonic_nanos(),
          done = std::move(done)](std::vector<Tensor> values, std::optional<Error> error) {
    const std::int64_t end = monotonic_nanos();
    micros->add((end - begin) / 1000);
    if (record != nullptr) {
      record->run_began_nanos = begin;
      record->run_ended_nanos = end;
    }
    done(std::move(values), std::move(error));
  };
}

const SignatureDef* ModelServable::signature(const std::string& name) const {
  const auto found = signatures_.find(name);
  return found == signatures_.end() ? nullptr : &found->second;
}

bool ModelServable::may_have_step(const std::set<std::string>& feeds,
                                  const std::set<std::string>& fetches) const {
  const std::lock_guard lock(mutex_);
  return steps_.size() < kStepsKept || steps_.contains({feeds, fetches});
}

std::shared_ptr<const void> ModelServable::kept_plan(const std::string& signature) const {
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(signature);
  return found == plans_.end() ? nullptr : found->second;
}

void ModelServable::keep_plan(const std::string& signature,
                              std::shared_ptr<const void> plan) const {
  const std::lock_guard lock(mutex_);
  plans_.emplace(signature, std::move(plan));
}

CompiledStepRef ModelServable::step(const std::set<std::string>& feeds,
                                    const std::set<std::string>& fetches) const {
  StepKey key(feeds, fetches);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = steps_.find(key); found != steps_.end()) return found->second;
  }
  auto step = std::make_shared<CompiledStep>();
  step->model = name_;
  step->feeds.assign(feeds.begin(), feeds.end());
  step->fetches.assign(fetches.begin(), fetches.end());
  if (session_ != nullptr)
    step->callable = session_->make_callable(tensors(*graph_, feeds), tensors(*graph_, fetches));
  const std::lock_guard lock(mutex_);
  return steps_.emplace(std::move(key), std::move(step)).first->second;
}

}  // namespace rill::serve
