#include "rill/api/keras/described.h"

#include <array>

#include "rill/api/keras/constraints.h"
#include "rill/api/keras/custom_objects.h"
#include "rill/api/keras/names.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace {

// Tells descriptions from objects of another language.
struct Forget {
  void operator()(const Json* description) const { delete description; }
};

const Json kEmpty = json_object({});

// {"class_name": NAME, "config": {...}} or "NAME".
std::string name_in(const Json& config, const char* kind) {
  return config.kind == Json::Kind::string ? config.text
                                           : text_of(member(config, "class_name"), kind);
}
const Json& settings_in(const Json& config) {
  return config.kind == Json::Kind::string ? kEmpty : member(config, "config");
}
double number_in(const Json& settings, const char* name, double otherwise) {
  const Json* const found = settings.find(name);
  return found == nullptr || is_null(*found) ? otherwise : number_of(*found, name);
}
std::string text_in(const Json& settings, const char* name, const char* otherwise) {
  const Json* const found = settings.find(name);
  return found == nullptr ? otherwise : text_of(*found, name);
}
std::optional<std::int64_t> seed_in(const Json& settings) {
  const Json* const found = settings.find("seed");
  if (found == nullptr || is_null(*found)) return std::nullopt;
  return int_of(*found, "seed");
}
std::vector<std::int64_t> axis_in(const Json& settings) {
  const Json* const found = settings.find("axis");
  if (found == nullptr) return {0};
  if (found->kind == Json::Kind::number) return {int_of(*found, "axis")};
  std::vector<std::int64_t> axes;
  for (const Json& item : found->items) axes.push_back(int_of(item, "axis"));
  return axes;
}

std::string plain_spelling(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

[[noreturn]] void raise_unknown(const char* kind) {
  raise(Code::kInvalidArgument, "this ", kind,
        " does not say how it was made, so it cannot be written down: take one of keras::", kind,
        "s, or name it in keras::utils::get_custom_objects()");
}

}  // namespace

Json described_as(const std::string& class_name, JsonMembers config) {
  return json_object(
      {{"class_name", json_of(class_name)}, {"config", json_object(std::move(config))}});
}

Initializer described(Initializer initializer, Json description) {
  initializer.foreign = std::shared_ptr<void>(new Json(std::move(description)), Forget());
  return initializer;
}
Json description_of(const Initializer& initializer) {
  if (std::get_deleter<Forget>(initializer.foreign) == nullptr) return {};
  return *static_cast<const Json*>(initializer.foreign.get());
}
Json description_of(const std::function<Output(Output)>& function) {
  const auto* known = function.target<DescribedFunction>();
  return known == nullptr ? Json() : known->description;
}
Json description_of(const Regularizer& regularizer) {
  const auto* known = regularizer.loss.target<PenaltyOfVariable>();
  return known == nullptr ? Json() : description_of(known->of);
}

// --- initializers --------------------------------------------------------------------------------

Json initializers::serialize(const rill::Initializer& initializer) {
  if (!initializer) return {};
  Json description = description_of(initializer);
  if (is_null(description)) raise_unknown("initializer");
  return description;
}

rill::Initializer initializers::deserialize(const Json& config) {
  if (is_null(config)) return {};
  const std::string name = name_in(config, "initializer");
  const std::string plain = plain_spelling(name);
  const Json& s = settings_in(config);
  const auto seed = seed_in(s);
  if (config.kind == Json::Kind::string) return get(name);
  if (plain == "constant") return Constant(number_in(s, "value", 0));
  if (plain == "randomuniform" || plain == "uniform")
    return RandomUniform({number_in(s, "minval", -.05), number_in(s, "maxval", .05), seed});
  if (plain == "randomnormal" || plain == "normal")
    return RandomNormal({number_in(s, "mean", 0), number_in(s, "stddev", .05), seed});
  if (plain == "truncatednormal")
    return TruncatedNormal({number_in(s, "mean", 0), number_in(s, "stddev", .05), seed});
  if (plain == "variancescaling")
    return VarianceScaling({.scale = number_in(s, "scale", 1),
                            .mode = text_in(s, "mode", "fan_in"),
                            .distribution = text_in(s, "distribution", "truncated_normal"),
                            .seed = seed});
  if (plain == "orthogonal") return Orthogonal({.gain = number_in(s, "gain", 1), .seed = seed});
  if (plain == "identity") return Identity(number_in(s, "gain", 1));
  if (plain == "glorotuniform") return glorot_uniform(seed);
  if (plain == "glorotnormal") return glorot_normal(seed);
  if (plain == "henormal") return he_normal(seed);
  if (plain == "heuniform") return he_uniform(seed);
  if (plain == "lecunnormal") return lecun_normal(seed);
  if (plain == "lecununiform") return lecun_uniform(seed);
  return get(name);
}

// --- functions of weights and outputs ------------------------------------------------------------

namespace {

// A function that the program has given a name.
std::string custom_name(const std::function<Output(Output)>& function) {
  using Plain = Output (*)(Output);
  const Plain* const own = function.target<Plain>();
  for (const auto& [name, object] : utils::get_custom_objects()) {
    const Plain* const known = object.function.target<Plain>();
    if (own != nullptr && known != nullptr && *own == *known) return name;
  }
  return {};
}

Json function_as_json(const std::function<Output(Output)>& function, const char* kind) {
  if (!function) return {};
  Json description = description_of(function);
  if (!is_null(description)) return description;
  const std::string name = custom_name(function);
  if (name.empty()) raise_unknown(kind);
  return json_of(name);
}

}  // namespace

Json regularizers::serialize(const Penalty& regularizer) {
  return function_as_json(regularizer.of, "regularizer");
}
Json regularizers::serialize(const rill::Regularizer& regularizer) {
  if (!regularizer) return {};
  const auto* known = regularizer.loss.target<PenaltyOfVariable>();
  if (known == nullptr) raise_unknown("regularizer");
  return function_as_json(known->of, "regularizer");
}

Penalty regularizers::deserialize(const Json& config) {
  if (is_null(config)) return {};
  const std::string name = name_in(config, "regularizer");
  if (const CustomObject* custom = find_custom_object(name); custom && custom->function)
    return {custom->function};
  if (config.kind == Json::Kind::string) return get(name);
  require(plain_spelling(name) == "l1l2", "Unknown regularizer: ", name);
  const Json& s = settings_in(config);
  return l1_l2(number_in(s, "l1", 0), number_in(s, "l2", 0));
}

Json constraints::serialize(const std::function<Output(Output)>& constraint) {
  return function_as_json(constraint, "constraint");
}

std::function<Output(Output)> constraints::deserialize(const Json& config) {
  if (is_null(config)) return {};
  const std::string name = name_in(config, "constraint");
  const std::string plain = plain_spelling(name);
  const Json& s = settings_in(config);
  if (const CustomObject* custom = find_custom_object(name); custom && custom->function)
    return custom->function;
  if (plain == "maxnorm") return max_norm(number_in(s, "max_value", 2), axis_in(s));
  if (plain == "minmaxnorm")
    return min_max_norm(number_in(s, "min_value", 0), number_in(s, "max_value", 1),
                        number_in(s, "rate", 1), axis_in(s));
  if (plain == "unitnorm") return unit_norm(axis_in(s));
  return get(name);
}

std::string activations::serialize(const Activation& activation) {
  if (!activation) return "linear";
  std::string name = name_of(activation.apply);
  if (name.empty()) name = custom_name(activation.apply);
  if (name.empty()) raise_unknown("activation");
  return name;
}

}  // namespace rill::keras
