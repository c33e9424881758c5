#include "rill/api/keras/names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "rill/base/error.h"

namespace rill::keras {
namespace {

// Classes and functions differ in spelling alone: "RandomUniform", "random_uniform".
std::string plain_spelling(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

template <class Made>
struct NamedKind {
  std::string_view name;
  Made (*make)();
};

template <class Made, std::size_t kCount>
Made made_by_name(const char* kind, const std::string& name,
                  const std::array<NamedKind<Made>, kCount>& all) {
  const auto found = std::ranges::find(all, plain_spelling(name), &NamedKind<Made>::name);
  require(found != all.end(), "Unknown ", kind, ": ", name);
  return found->make();
}

}  // namespace

namespace initializers {
namespace {

using Seed = std::optional<std::int64_t>;

Initializer named(const char* class_name, Initializer initializer, JsonMembers config = {}) {
  config.emplace_back("dtype", json_of("float32"));
  return described(std::move(initializer), described_as(class_name, std::move(config)));
}

JsonMembers of_normal(const NormalOptions& o) {
  return {{"mean", json_of(o.mean)}, {"stddev", json_of(o.stddev)}, {"seed", json_of(o.seed)}};
}

Json value_of(const Input& value) {
  if (!value.is_value()) return {};
  const Tensor given = value.value(DType::f32);
  if (given.rank() == 0) return json_of(static_cast<double>(given.scalar_value<float>()));
  std::vector<double> all(given.flat<float>().begin(), given.flat<float>().end());
  return json_of(all);
}

}  // namespace

Initializer Zeros() { return named("Zeros", zeros_initializer()); }
Initializer Ones() { return named("Ones", ones_initializer()); }
Initializer Constant(Input value, const ConstantInitializerOptions& options) {
  const Json written = value_of(value);
  return named("Constant", constant_initializer(std::move(value), options), {{"value", written}});
}
Initializer Orthogonal(const OrthogonalOptions& o) {
  return named("Orthogonal", orthogonal_initializer(o),
               {{"gain", json_of(o.gain)}, {"seed", json_of(o.seed)}});
}
Initializer Identity(double gain) {
  return named("Identity", identity_initializer(gain), {{"gain", json_of(gain)}});
}
Initializer VarianceScaling(const VarianceScalingOptions& o) {
  return named("VarianceScaling", variance_scaling_initializer(o),
               {{"scale", json_of(o.scale)},
                {"mode", json_of(o.mode)},
                {"distribution", json_of(o.distribution)},
                {"seed", json_of(o.seed)}});
}
Initializer glorot_normal(Seed seed) {
  return named("GlorotNormal", glorot_normal_initializer(seed), {{"seed", json_of(seed)}});
}
Initializer glorot_uniform(Seed seed) {
  return named("GlorotUniform", glorot_uniform_initializer(seed), {{"seed", json_of(seed)}});
}
// TensorFlow makes these of VarianceScaling.
Initializer he_normal(Seed seed) { return VarianceScaling({.scale = 2.0, .seed = seed}); }
Initializer he_uniform(Seed seed) {
  return VarianceScaling({.scale = 2.0, .distribution = "uniform", .seed = seed});
}
Initializer lecun_normal(Seed seed) { return VarianceScaling({.seed = seed}); }
Initializer lecun_uniform(Seed seed) {
  return VarianceScaling({.distribution = "uniform", .seed = seed});
}
rill::Initializer RandomUniform(const UniformOptions& o) {
  return named(
      "RandomUniform",
      random_uniform_initializer({.minval = o.minval, .maxval = Input(o.maxval), .seed = o.seed}),
      {{"minval", json_of(o.minval)}, {"maxval", json_of(o.maxval)}, {"seed", json_of(o.seed)}});
}
rill::Initializer RandomNormal(const NormalOptions& o) {
  return named("RandomNormal",
               random_normal_initializer({.mean = o.mean, .stddev = o.stddev, .seed = o.seed}),
               of_normal(o));
}
rill::Initializer TruncatedNormal(const NormalOptions& o) {
  return named("TruncatedNormal",
               truncated_normal_initializer({.mean = o.mean, .stddev = o.stddev, .seed = o.seed}),
               of_normal(o));
}

}  // namespace initializers

rill::Initializer initializers::get(const std::string& identifier) {
  using Kind = NamedKind<rill::Initializer>;
  static const auto all = std::to_array<Kind>({
      {"zeros", [] { return Zeros(); }},
      {"zero", [] { return Zeros(); }},
      {"ones", [] { return Ones(); }},
      {"one", [] { return Ones(); }},
      {"constant", [] { return Constant(0.0); }},
      {"randomuniform", [] { return RandomUniform(); }},
      {"uniform", [] { return RandomUniform(); }},
      {"randomnormal", [] { return RandomNormal(); }},
      {"normal", [] { return RandomNormal(); }},
      {"truncatednormal", [] { return TruncatedNormal(); }},
      {"variancescaling", [] { return VarianceScaling(); }},
      {"orthogonal", [] { return Orthogonal(); }},
      {"identity", [] { return Identity(); }},
      {"glorotnormal", [] { return glorot_normal(); }},
      {"glorotuniform", [] { return glorot_uniform(); }},
      {"henormal", [] { return he_normal(); }},
      {"heuniform", [] { return he_uniform(); }},
      {"lecunnormal", [] { return lecun_normal(); }},
      {"lecununiform", [] { return lecun_uniform(); }},
  });
  return made_by_name("initializer", identifier, all);
}

constraints::Constraint constraints::get(const std::string& identifier) {
  using Kind = NamedKind<Constraint>;
  static const auto all = std::to_array<Kind>({
      {"maxnorm", [] { return MaxNorm(); }},
      {"minmaxnorm", [] { return MinMaxNorm(); }},
      {"nonneg", [] { return NonNeg(); }},
      {"unitnorm", [] { return UnitNorm(); }},
      {"radialconstraint", [] { return RadialConstraint(); }},
  });
  return made_by_name("constraint", identifier, all);
}

Penalty regularizers::get(const std::string& identifier) {
  using Kind = NamedKind<Penalty>;
  static const auto all = std::to_array<Kind>({
      {"l1", [] { return l1(); }},
      {"l2", [] { return l2(); }},
      {"l1l2", [] { return l1_l2(); }},
  });
  return made_by_name("regularizer", identifier, all);
}

}  // namespace rill::keras
