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
