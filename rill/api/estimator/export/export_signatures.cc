// Which signatures a model is exported with.
#include <unordered_set>

#include "rill/api/estimator/export/export_output.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::estimator {
namespace {

using saved_model::SignatureDef;

std::vector<Output> tensors_of(const data::Component& part) {
  switch (part.spec().kind) {
    case data::ComponentKind::kSparse:
      return {part.sparse().indices, part.sparse().values, part.sparse().dense_shape};
    default:
      return {part.tensor()};
  }
}

// A placeholder that the outputs need and that is not fed; null where there is none.
const Node* missing_feed(const Features& receivers, const SignatureDef& signature) {
  std::unordered_set<const Node*> seen;
  for (const auto& [name, part] : receivers)
    for (const Output& tensor : tensors_of(part)) seen.insert(tensor.node);
  std::vector<const Node*> open;
  const auto visit = [&](const Node* node) {
    if (seen.insert(node).second) open.push_back(node);
  };
  for (const auto& [name, info] : signature.outputs())
    if (info.encoding_case() == saved_model::TensorInfo::kName)
      visit(saved_model::get_tensor_from_tensor_info(info).node);
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node->op().name == "Placeholder") return node;
    for (const Output& input : node->inputs()) visit(input.node);
  }
  return nullptr;
}

void check_servable(const Features& receivers, const SignatureDef& signature) {
  const Node* missing = missing_feed(receivers, signature);
  require(missing == nullptr,
          "The signature's input tensors are insufficient to compute its outputs because of the "
          "dependency on `",
          missing != nullptr ? missing->name() : "", "` which is not given as a signature input");
}

std::string name_of(const std::string& key) { return key.empty() ? "None" : key; }

constexpr std::pair<const char*, const char*> kMethods[] = {
    {saved_model::kClassifyMethod, "Classify"}, {saved_model::kRegressMethod, "Regress"},
    {saved_model::kPredictMethod, "Predict"},   {"tensorflow/supervised/training", "Train"},
    {"tensorflow/supervised/eval", "Eval"},
};

void report(const Signatures& included, const std::map<std::string, std::string>& excluded) {
  for (const auto& [method, name] : kMethods) {
    std::vector<std::string> keys;
    for (const auto& [key, signature] : included)
      if (signature->method_name() == method) keys.push_back(str_cat("'", key, "'"));
    logging::info("Signatures INCLUDED in export for ", name, ": ",
                  keys.empty() ? "None" : str_cat("[", join(keys, ", "), "]"));
  }
  if (!excluded.empty())
    logging::info(
        "Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving "
        "APIs:");
  for (const auto& [key, why] : excluded) logging::info("'", key, "' : ", why);
  if (included.empty())
    logging::warning("Export includes no signatures!");
  else if (!included.contains(saved_model::kDefaultServingSignatureKey))
    logging::warning("Export includes no default signature!");
}

}  // namespace

Signatures build_all_signature_defs(const InputReceiver& receiver,
                                    const std::map<std::string, ExportOutput>& outputs,
                                    bool serving_only) {
  Signatures included;
  std::map<std::string, std::string> excluded;
  const auto add = [&](const std::string& prefix, const Features& receivers) {
    for (const auto& [key, output] : outputs) {
      const std::string name = prefix + name_of(key);
      try {
        SignatureDef signature = signature_of(output, receivers);
        check_servable(receivers, signature);
        included[name] = std::move(signature);
      } catch (const Error& error) {
        if (error.code() != Code::kInvalidArgument) throw;
        excluded[name] = error.message();
      }
    }
  };
  add("", receiver.receiver_tensors);
  for (const auto& [name, receivers] : receiver.receiver_tensors_alternatives)
    add(str_cat(name_of(name), ":"), receivers);
  report(included, excluded);
  if (serving_only)
    std::erase_if(included,
                  [](const auto& item) { return !saved_model::is_valid_signature(item.second); });
  return included;
}

}  // namespace rill::estimator
