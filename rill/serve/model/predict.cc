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

// A question that was found to fit its signature.
struct Checked {
  std::string signature;
  Names inputs, outputs;
  StepRef step;
};

Checked checked(const ModelServable& model, const std::string& signature_name,
                const std::set<std::string>& sent, const auto& filter) {
  Checked checked{.signature = signature_name_of(signature_name)};
  const SignatureDef& signature = signature_of(model, checked.signature);
  checked.inputs = saved_model::tensor_names(signature.inputs());
  check_inputs(sent, keys(checked.inputs));
  const Names all = saved_model::tensor_names(signature.outputs());
  checked.outputs = filtered(filter, all);
  const auto fed = values(checked.inputs), fetched = values(checked.outputs);
  checked.step = model.step(fed, model.may_have_step(fed, fetched) ? fetched : values(all));
  return checked;
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
std::vector<Tensor> in_order(const Checked& checked, std::map<std::string, Tensor> inputs) {
  std::map<std::string, Tensor> by_tensor;
  for (auto& [name, value] : inputs) by_tensor[checked.inputs.at(name)] = std::move(value);
  std::vector<Tensor> feeds;
  for (auto& [tensor, value] : by_tensor) feeds.push_back(std::move(value));
  return feeds;
}

void run(const ModelServable& model, const Checked& checked, std::vector<Tensor> feeds,
         const RequestLimits& limits, Answered done) {
  model.run(checked.step, std::move(feeds), limits,
            // Whoever waits for the answer holds the model, and that its steps.
            [step = checked.step.get(), outputs = checked.outputs, done = std::move(done)](
                std::vector<Tensor> results, std::optional<Error> error) {
              std::map<std::string, Tensor> answer;
              if (!error)
                for (const auto& [name, tensor] : outputs) {
                  const auto place =
                      std::ranges::lower_bound(step->fetches, tensor) - step->fetches.begin();
                  answer[name] = results[static_cast<std::size_t>(place)];
                }
              done(std::move(answer), std::move(error));
            });
}

}  // namespace

std::string signature_name_of(const std::string& name) {
  return name.empty() ? saved_model::kDefaultServingSignatureKey : name;
}

void predict(const ModelServable& model, Question question, const RequestLimits& limits,
             Answered done) {
  Checked fits;
  std::vector<Tensor> feeds;
  try {
    fits = checked(model, question.signature, keys(question.inputs), question.output_filter);
    feeds = in_order(fits, std::move(question.inputs));
  } catch (...) {
    return done({}, current_error());
  }
  run(model, fits, std::move(feeds), limits, std::move(done));
}

void predict(const ModelServable& model, const messages::PredictRequest& request,
             messages::PredictResponse* response, const RequestLimits& limits, Done done) {
  Checked fits;
  std::vector<Tensor> feeds;
  try {
    fits = checked(model, request.model_spec().signature_name(), keys(request.inputs()),
                   request.output_filter());
    response->mutable_model_spec()->set_signature_name(fits.signature);
    std::map<std::string, Tensor> inputs;
    for (const auto& [name, proto] : request.inputs()) inputs[name] = tensor_of(name, proto);
    feeds = in_order(fits, std::move(inputs));
  } catch (...) {
    return done(current_error());
  }
  run(model, fits, std::move(feeds), limits,
      [response, done = std::move(done)](std::map<std::string, Tensor> answer,
                                         std::optional<Error> error) {
        if (!error) try {
            for (const auto& [name, tensor] : answer)
              to_proto(tensor, &(*response->mutable_outputs())[name], ProtoForm::fields);
          } catch (...) {
            error = current_error();
          }
        done(std::move(error));
      });
}

}  // namespace rill::serve
