#include "rill/api/keras/training_config.h"

#include "rill/api/keras/schedules.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace {

struct OptimizerFields {
  const char* class_name;
  std::vector<const char*> hypers;  // kept in variables
};
const std::vector<OptimizerFields>& optimizer_fields() {
  static const std::vector<OptimizerFields> all = {
      {"SGD", {"learning_rate", "decay", "momentum"}},
      {"RMSprop", {"learning_rate", "decay", "rho", "momentum"}},
      {"Adagrad", {"learning_rate", "decay"}},
      {"Adadelta", {"learning_rate", "decay", "rho"}},
      {"Adam", {"learning_rate", "decay", "beta_1", "beta_2"}},
      {"Adamax", {"learning_rate", "decay", "beta_1", "beta_2"}},
      {"Nadam", {"learning_rate", "decay", "beta_1", "beta_2"}},
      {"Ftrl",
       {"learning_rate", "decay", "learning_rate_power", "l1_regularization_strength",
        "l2_regularization_strength"}},
  };
  return all;
}

double default_of(const Optimizer& optimizer, const std::string& name) {
  if (name == "momentum") return 0;
  return name == "rho" && optimizer.class_name() == "Adadelta" ? 0.95 : 0.9;
}

Json hyper_json(Optimizer& optimizer, Session* session, const std::string& name) {
  const auto found = optimizer.hypers().find(name);
  if (found == optimizer.hypers().end()) return json_of(default_of(optimizer, name));
  if (const auto* schedule = std::get_if<Schedule>(&found->second))
    return optimizers::schedules::serialize(*schedule);
  const Variable variable = optimizer.hyper_variable(name);
  if (!variable || session == nullptr) return json_of(std::get<double>(found->second));
  return json_of(static_cast<double>(session->run(variable).scalar_value<float>()));
}

Json config_with(Optimizer& optimizer, Session* session) {
  const std::string& kind = optimizer.class_name();
  const OptimizerOptions& o = optimizer.options();
  JsonMembers config = {{"name", json_of(optimizer.name())}};
  for (const OptimizerFields& known : optimizer_fields())
    if (kind == known.class_name)
      for (const char* name : known.hypers)
        config.emplace_back(name, hyper_json(optimizer, session, name));
  require(config.size() > 1, "an optimizer of the class ", kind, " cannot be written down");
  if (kind == "SGD") config.emplace_back("nesterov", json_of(o.nesterov));
  if (kind == "RMSprop") config.emplace_back("centered", json_of(o.centered));
  if (kind == "Adam") config.emplace_back("amsgrad", json_of(o.amsgrad));
  if (kind == "Adagrad" || kind == "Ftrl")
    config.emplace_back("initial_accumulator_value", json_of(o.initial_accumulator_value));
  if (kind == "Ftrl")
    config.emplace_back("l2_shrinkage_regularization_strength",
                        json_of(o.l2_shrinkage_regularization_strength));
  if (kind != "SGD" && kind != "Ftrl")
    config.emplace_back("epsilon", json_of(o.epsilon.value_or(backend::epsilon())));
  if (o.clipnorm) config.emplace_back("clipnorm", json_of(*o.clipnorm));
  if (o.clipvalue) config.emplace_back("clipvalue", json_of(*o.clipvalue));
  return json_object({{"class_name", json_of(kind)}, {"config", json_object(std::move(config))}});
}

HyperValue hyper_of(const Json& value, const std::string& name) {
  if (value.kind == Json::Kind::object) return optimizers::schedules::deserialize(value);
  return number_of(value, name);
}

}  // namespace

Json optimizer_config(Optimizer& optimizer, Session& session) {
  return config_with(optimizer, &session);
}
Json optimizer_config(Optimizer& optimizer) { return config_with(optimizer, nullptr); }

OptimizerRef optimizer_from_config(const Json& described) {
  OptimizerOptions o;
  for (const auto& [name, value] : member(described, "config").members) {
    if (is_null(value)) continue;
    if (name == "name") o.name = text_of(value, name);
    if (name == "learning_rate" || name == "lr") o.learning_rate = hyper_of(value, name);
    if (name == "decay" || name == "schedule_decay") o.decay = number_of(value, name);
    if (name == "momentum") o.momentum = hyper_of(value, name);
    if (name == "rho") o.rho = hyper_of(value, name);
    if (name == "beta_1") o.beta_1 = hyper_of(value, name);
    if (name == "beta_2") o.beta_2 = hyper_of(value, name);
    if (name == "epsilon") o.epsilon = number_of(value, name);
    if (name == "nesterov") o.nesterov = bool_of(value, name);
    if (name == "centered") o.centered = bool_of(value, name);
    if (name == "amsgrad") o.amsgrad = bool_of(value, name);
    if (name == "clipnorm") o.clipnorm = number_of(value, name);
    if (name == "clipvalue") o.clipvalue = number_of(value, name);
    if (name == "initial_accumulator_value") o.initial_accumulator_value = number_of(value, name);
    if (name == "learning_rate_power") o.learning_rate_power = number_of(value, name);
    if (name == "l1_regularization_strength") o.l1_regularization_strength = number_of(value, name);
    if (name == "l2_regularization_strength") o.l2_regularization_strength = number_of(value, name);
    if (name == "l2_shrinkage_regularization_strength")
      o.l2_shrinkage_regularization_strength = number_of(value, name);
  }
  return optimizers::make(text_of(member(described, "class_name"), "class_name"), o);
}

// --- losses and metrics --------------------------------------------------------------------------

namespace {

Json loss_json(const keras::Loss& loss) {
  if (!loss) return {};
  const auto* const named = loss.of.target<losses::NamedLoss>();
  const losses::LossOptions plain;
  if (named == nullptr || (named->options.from_logits == plain.from_logits &&
                           named->options.label_smoothing == plain.label_smoothing &&
                           named->options.axis == plain.axis &&
                           named->options.delta == plain.delta && loss.name == named->name))
    return json_of(loss.name);
  JsonMembers config = {{"reduction", json_of("sum_over_batch_size")},
                        {"name", json_of(loss.name)}};
  if (named->class_name.find("Crossentropy") != std::string::npos)
    config.emplace_back("from_logits", json_of(named->options.from_logits));
  if (named->class_name == "CategoricalCrossentropy" || named->class_name == "BinaryCrossentropy")
    config.emplace_back("label_smoothing", json_of(named->options.label_smoothing));
  if (named->class_name == "CosineSimilarity")
    config.emplace_back("axis", json_of(named->options.axis));
  if (named->class_name == "Huber") config.emplace_back("delta", json_of(named->options.delta));
  return json_object(
      {{"class_name", json_of(named->class_name)}, {"config", json_object(std::move(config))}});
}

keras::Loss loss_of(const Json& described) {
  if (is_null(described)) return {};
  if (described.kind == Json::Kind::string) return keras::Loss(described.text);
  losses::LossOptions o;
  const Json& config = member(described, "config");
  if (const Json* value = config.find("from_logits"))
    o.from_logits = bool_of(*value, "from_logits");
  if (const Json* value = config.find("label_smoothing"))
    o.label_smoothing = number_of(*value, "label_smoothing");
  if (const Json* value = config.find("axis")) o.axis = static_cast<int>(int_of(*value, "axis"));
  if (const Json* value = config.find("delta")) o.delta = number_of(*value, "delta");
  keras::Loss loss(text_of(member(described, "class_name"), "class_name"), o);
  if (const Json* name = config.find("name"); name && !is_null(*name))
    loss.name = text_of(*name, "name");
  if (const Json* reduction = config.find("reduction")) {
    const std::string& how = text_of(*reduction, "reduction");
    if (how == "none") loss.reduction = Reduction::kNone;
    if (how == "sum") loss.reduction = Reduction::kSum;
  }
  return loss;
}

// One for each output, or one for all.
std::vector<keras::Loss> losses_of(const Model& model, const Json& described) {
  std::vector<keras::Loss> all;
  if (described.kind == Json::Kind::array) {
    for (const Json& item : described.items) all.push_back(loss_of(item));
  } else if (described.kind == Json::Kind::object && described.find("class_name") == nullptr) {
    for (const Output& output : model.outputs())
      all.push_back(loss_of(member(described, rill::layers::made_by(output).layer->name())));
  } else {
    all.push_back(loss_of(described));
  }
  return all;
}

Json metric_json(const MetricChoice& choice) {
  if (!choice.metric) return json_of(choice.name);
  const Metric& metric = *choice.metric;
  const std::string& kind = metric.class_name;
  require(!kind.empty(), "the metric ", metric.name(),
          " is one of the program, which cannot be written down");
  const metrics::MetricOptions& o = metric.made_with;
  JsonMembers config = {{"name", json_of(metric.name())},
                        {"dtype", json_of(std::string(numpy_name(metric.dtype())))}};
  const auto ends = [&kind](const char* ending) { return kind.ends_with(ending); };
  if (ends("Positives") || ends("Negatives") || kind == "Precision" || kind == "Recall")
    config.emplace_back("thresholds", o.thresholds.empty() ? Json() : json_of(o.thresholds));
  if (kind == "Precision" || kind == "Recall") {
    config.emplace_back("top_k", json_of(o.top_k));
    config.emplace_back("class_id", json_of(o.class_id));
  }
  if (kind == "AUC" || ends("Sensitivity") || ends("Specificity"))
    config.emplace_back("num_thresholds", json_of(o.num_thresholds));
  if (kind == "AUC") {
    config.emplace_back("curve", json_of(o.curve));
    config.emplace_back("summation_method", json_of(o.summation_method));
  }
  if (kind == "SensitivityAtSpecificity") config.emplace_back("specificity", json_of(o.value));
  if (kind == "SpecificityAtSensitivity") config.emplace_back("sensitivity", json_of(o.value));
  if (kind == "BinaryAccuracy") config.emplace_back("threshold", json_of(o.threshold));
  if (kind.find("TopK") != std::string::npos) config.emplace_back("k", json_of(o.k));
  if (kind == "MeanIoU") config.emplace_back("num_classes", json_of(o.num_classes));
  if (ends("Crossentropy")) config.emplace_back("from_logits", json_of(o.loss.from_logits));
  return json_object({{"class_name", json_of(kind)}, {"config", json_object(std::move(config))}});
}

MetricChoice metric_of(const Json& described) {
  if (described.kind == Json::Kind::string) return MetricChoice(described.text);
  metrics::MetricOptions o;
  for (const auto& [name, value] : member(described, "config").members) {
    if (is_null(value)) continue;
    if (name == "name") o.name = text_of(value, name);
    if (name == "threshold") o.threshold = number_of(value, name);
    if (name == "k") o.k = int_of(value, name);
    if (name == "num_thresholds") o.num_thresholds = int_of(value, name);
    if (name == "num_classes") o.num_classes = int_of(value, name);
    if (name == "curve") o.curve = text_of(value, name);
    if (name == "summation_method") o.summation_method = text_of(value, name);
    if (name == "top_k") o.top_k = int_of(value, name);
    if (name == "class_id") o.class_id = int_of(value, name);
    if (name == "from_logits") o.loss.from_logits = bool_of(value, name);
    if (name == "specificity" || name == "sensitivity") o.value = number_of(value, name);
    if (name == "thresholds" && value.kind == Json::Kind::number)
      o.thresholds = {number_of(value, name)};
    else if (name == "thresholds")
      for (const Json& item : value.items) o.thresholds.push_back(number_of(item, name));
  }
  return MetricChoice(metrics::make(text_of(member(described, "class_name"), "class_name"), o));
}

}  // namespace

Json training_config(Model& model) {
  const CompileOptions* const compiled = model.compile_options();
  require(compiled != nullptr, "the model is not compiled");
  std::vector<Json> losses, metrics;
  for (const keras::Loss& loss : compiled->loss.all) losses.push_back(loss_json(loss));
  for (const MetricChoice& metric : compiled->metrics) metrics.push_back(metric_json(metric));
  return json_object(
      {{"loss", losses.size() == 1 ? losses[0] : json_array(std::move(losses))},
       {"metrics", json_array(std::move(metrics))},
       {"weighted_metrics", Json()},
       {"sample_weight_mode", Json()},
       {"loss_weights", compiled->loss_weights.empty() ? Json() : json_of(compiled->loss_weights)},
       {"optimizer_config", optimizer_config(*model.optimizer(), model.session())}});
}

void compile_as(Model& model, const Json& config) {
  const auto absent = [&config](const char* name) {
    const Json* const value = config.find(name);
    return value == nullptr || is_null(*value) ||
           (value->kind == Json::Kind::array && value->items.empty());
  };
  if (!absent("weighted_metrics"))
    raise(Code::kUnimplemented, "weighted_metrics of a stored model");
  if (!absent("sample_weight_mode"))
    raise(Code::kUnimplemented, "sample_weight_mode of a stored model");
  CompileOptions options{.optimizer = optimizer_from_config(member(config, "optimizer_config"))};
  options.loss = losses_of(model, member(config, "loss"));
  if (!absent("metrics")) {
    for (const Json& item : member(config, "metrics").items) {
      if (item.kind == Json::Kind::array)
        raise(Code::kUnimplemented, "metrics of single outputs of a stored model");
      options.metrics.push_back(metric_of(item));
    }
    if (!member(config, "metrics").members.empty())
      raise(Code::kUnimplemented, "metrics of single outputs of a stored model");
  }
  if (!absent("loss_weights"))
    for (const Json& item : member(config, "loss_weights").items)
      options.loss_weights.push_back(number_of(item, "loss_weights"));
  model.compile(options);
}

}  // namespace rill::keras
