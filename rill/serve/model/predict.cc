#include <algorithm>
#include <set>

#include "rill/base/error.h"
#include "rill/io/saved_model_parts.h"
#include "rill/serve/model/requests.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::serve {
namespace {

using Names = std::map<std::string, std::string>;  // of a signature, to tensors of the graph

std::string listed(const auto& names) {
  return join(std::vector<std::string>(names.begin(), names.end()), ",");
}
std::set<std::string> keys(const auto& map) {
  std::set<std::string> names;
  for (const auto& [name, value] : map) names.insert(name);
  return names;
}
std::set<std::string> values(const Names& names) {
  std::set<std::string> tensors;
  for (const auto& [name, tensor] : names) tensors.insert(tensor);
  return tensors;
}
std::set<std::string> difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> rest;
  std::ranges::set_difference(a, b, std::inserter(rest, rest.end()));
  return rest;
}

const SignatureDef& signature_of(const ModelServable& model, const std::string& name) {
  const SignatureDef* signature = model.signature(name);
  if (signature == nullptr)
    raise(Code::kFailedPrecondition, "Serving signature key \"", name, "\" not found.");
  const std::string& method = signature->method_name();
  using namespace saved_model;
  if (method != kPredictMethod && method != kClassifyMethod && method != kRegressMethod)
    raise(Code::kInternal, "Expected prediction signature method_name to be one of {",
          kPredictMethod, ", ", kClassifyMethod, ", ", kRegressMethod, "}. Was: ", method);
  return *signature;
}

void check_inputs(const std::set<std::string>& sent, const std::set<std::string>& wanted) {
  require(sent.size() == wanted.size(), "input size does not match signature: ", sent.size(),
          "!=", wanted.size(), " len({", listed(sent), "}) != len({", listed(wanted),
          "}). Sent extra: {", listed(difference(sent, wanted)), "}. Missing but required: {",
          listed(difference(wanted, sent)), "}.");
  for (const std::string& name : sent)
    require(wanted.contains(name), "input tensor alias not found in signature: ", name,
            ". Inputs expected to be in the set {", listed(wanted), "}.");
}

// The outputs that were asked for.
Names filtered(const auto& wanted, const Names& all) {
  if (wanted.empty()) return all;
  Names chosen;
  for (const std::string& name : wanted) {
    const auto output = all.find(name);
    require(output != all.end(), "output tensor alias not found in signature: ", name,
            " Outputs expected to be in the set {", listed(keys(all)), "}.");
    require(chosen.insert(*output).second, "duplicate output tensor alias: ", name);
  }
  return chosen;
}

// What a signature needs, looked up once: its names, in order, with their places in the step.
using Places = std::vector<std::pair<std::string, std::size_t>>;
struct BoundSignature {
  std::string signature;
  Places inputs;                          // among the feeds
  std::shared_ptr<const Places> outputs;  // among the fetches; answers may outlive the rest
  CompiledStepRef step;
};
using BoundSignatureRef = std::shared_ptr<const BoundSignature>;

Places places(const Names& names, const std::vector<std::string>& tensors) {
  Places places;
  for (const auto& [name, tensor] : names)
    places.emplace_back(name, std::ranges::lower_bound(tensors, tensor) - tensors.begin());
  return places;
}

BoundSignatureRef make_plan(const ModelServable& model, const std::string& name,
                            const auto& filter) {
  const SignatureDef& signature = signature_of(model, name);
  const Names inputs = saved_model::tensor_names(signature.inputs());
  const Names all = saved_model::tensor_names(signature.outputs());
  const Names outputs = filtered(filter, all);
  const auto fed = values(inputs), fetched = values(outputs);
  auto plan = std::make_shared<BoundSignature>();
  plan->signature = name;
  plan->step = model.step(fed, model.may_have_step(fed, fetched) ? fetched : values(all));
  plan->inputs = places(inputs, plan->step->feeds);
  plan->outputs = std::make_shared<const Places>(places(outputs, plan->step->fetches));
  return plan;
}

// Checks what was sent before what is asked for, as TensorFlow Serving does.
BoundSignatureRef plan_of(const ModelServable& model, const std::string& given_name,
                          const auto& inputs, const auto& filter) {
  const std::string name = signature_name_of(given_name);
  const auto check = [&](const auto& wanted) {
    const bool fits = wanted.size() == static_cast<std::size_t>(inputs.size()) &&
                      std::ranges::all_of(wanted, [&](const auto& input) {
                        return inputs.find(input.first) != inputs.end();
                      });
    if (!fits) check_inputs(keys(inputs), keys(wanted));
  };
  if (filter.empty()) {
    if (const auto kept = std::static_pointer_cast<const BoundSignature>(model.kept_plan(name))) {
      check(kept->inputs);
      return kept;
    }
  }
  check(saved_model::tensor_names(signature_of(model, name).inputs()));
  BoundSignatureRef plan = make_plan(model, name, filter);
  if (filter.empty()) model.keep_plan(name, plan);
  return plan;
}

Tensor tensor_of(const std::string& name, const tensorflow::TensorProto& proto) {
  try {
    return from_proto(proto);
  } catch (const Error& error) {
    if (error.code() == Code::kResourceExhausted) throw;
    raise(Code::kInvalidArgument, "tensor parsing error: ", name);
  }
}

// Values in the order of the step's feeds. Several names may stand for one tensor.
std::vector<Tensor> feeds_of(const BoundSignature& plan, const auto& value_of) {
  std::vector<Tensor> feeds(plan.step->feeds.size());
  for (const auto& [name, place] : plan.inputs) feeds[place] = value_of(name);
  return feeds;
}

}  // namespace

std::string signature_name_of(const std::string& name) {
  return name.empty() ? saved_model::kDefaultServingSignatureKey : name;
}

void predict(const ModelServable& model, Question question, const RequestLimits& limits,
             Answered done) {
  BoundSignatureRef plan;
  std::vector<Tensor> feeds;
  try {
    plan = plan_of(model, question.signature, question.inputs, question.output_filter);
    feeds = feeds_of(*plan, [&](const std::string& name) {
      return std::move(question.inputs.find(name)->second);
    });
  } catch (...) {
    return done({}, current_error());
  }
  const CompiledStepRef& step = plan->step;
  model.run(step, std::move(feeds), limits,
            [places = plan->outputs, done = std::move(done)](std::vector<Tensor> results,
                                                             std::optional<Error> error) {
              std::map<std::string, Tensor> answer;
              if (!error)
                for (const auto& [name, place] : *places)
                  answer.emplace_hint(answer.end(), name, results[place]);
              done(std::move(answer), std::move(error));
            });
}

void predict(const ModelServable& model, const messages::PredictRequest& request,
             messages::PredictResponse* response, const RequestLimits& limits, Done done) {
  BoundSignatureRef plan;
  std::vector<Tensor> feeds;
  try {
    plan = plan_of(model, request.model_spec().signature_name(), request.inputs(),
                   request.output_filter());
    response->mutable_model_spec()->set_signature_name(plan->signature);
    feeds = feeds_of(*plan, [&](const std::string& name) {
      return tensor_of(name, request.inputs().find(name)->second);
    });
  } catch (...) {
    return done(current_error());
  }
  model.run(plan->step, std::move(feeds), limits,
            [places = plan->outputs, response, done = std::move(done)](std::vector<Tensor> results,
                                                                       std::optional<Error> error) {
              if (!error) try {
                  auto& outputs = *response->mutable_outputs();
                  for (const auto& [name, place] : *places)
                    to_proto(results[place], &outputs[name], ProtoForm::fields);
                } catch (...) {
                  error = current_error();
                }
              done(std::move(error));
            });
}

}  // namespace rill::serve
