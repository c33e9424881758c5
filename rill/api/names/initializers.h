#pragma once

#include <utility>

#include "rill/api/lookup/static_tables.h"
#include "rill/api/variables/initializer.h"
#include "rill/api/variables/variable_lists.h"

// tf.initializers and the initializers of tf.keras.
namespace rill::initializers {
inline Initializer zeros() { return ::rill::zeros_initializer(); }
inline Initializer ones() { return ::rill::ones_initializer(); }
inline Initializer constant(Input value, const ConstantInitializerOptions& options = {}) {
  return ::rill::constant_initializer(value, options);
}
inline Initializer random_uniform(const UniformInitializerOptions& options = {}) {
  return ::rill::random_uniform_initializer(options);
}
inline Initializer random_normal(const NormalInitializerOptions& options = {}) {
  return ::rill::random_normal_initializer(options);
}
inline Initializer truncated_normal(const NormalInitializerOptions& options = {}) {
  return ::rill::truncated_normal_initializer(options);
}
inline Initializer uniform_unit_scaling(const UnitScalingOptions& options = {}) {
  return ::rill::uniform_unit_scaling_initializer(options);
}
inline Initializer variance_scaling(const VarianceScalingOptions& options = {}) {
  return ::rill::variance_scaling_initializer(options);
}
inline Initializer orthogonal(const OrthogonalOptions& options = {}) {
  return ::rill::orthogonal_initializer(options);
}
inline Initializer identity(double gain = 1.0) { return ::rill::identity_initializer(gain); }
inline Initializer glorot_normal(std::optional<std::int64_t> seed = {}) {
  return ::rill::glorot_normal_initializer(std::move(seed));
}
inline Initializer glorot_uniform(std::optional<std::int64_t> seed = {}) {
  return ::rill::glorot_uniform_initializer(std::move(seed));
}
inline Initializer he_normal(std::optional<std::int64_t> seed = {}) {
  return ::rill::he_normal_initializer(std::move(seed));
}
inline Initializer he_uniform(std::optional<std::int64_t> seed = {}) {
  return ::rill::he_uniform_initializer(std::move(seed));
}
inline Initializer lecun_normal(std::optional<std::int64_t> seed = {}) {
  return ::rill::lecun_normal_initializer(std::move(seed));
}
inline Initializer lecun_uniform(std::optional<std::int64_t> seed = {}) {
  return ::rill::lecun_uniform_initializer(std::move(seed));
}
inline Node& global_variables(std::source_location at = std::source_location::current()) {
  return ::rill::global_variables_initializer(at);
}
inline Node& local_variables(std::source_location at = std::source_location::current()) {
  return ::rill::local_variables_initializer(at);
}
inline Node& variables(const std::vector<Variable>& variables, const std::string& name = "init",
                       std::source_location at = std::source_location::current()) {
  return ::rill::variables_initializer(variables, name, at);
}
using ::rill::tables_initializer;
}  // namespace rill::initializers
namespace rill {
inline Node& initialize_all_variables(std::source_location at = std::source_location::current()) {
  return ::rill::global_variables_initializer(at);
}
inline Node& initialize_local_variables(std::source_location at = std::source_location::current()) {
  return ::rill::local_variables_initializer(at);
}
inline Node& initialize_variables(const std::vector<Variable>& variables,
                                  const std::string& name = "init",
                                  std::source_location at = std::source_location::current()) {
  return ::rill::variables_initializer(variables, name, at);
}
inline Node& initialize_all_tables(const TablesInitializerOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::tables_initializer(options, at);
}
inline std::vector<Variable> all_variables(std::string_view scope = {}) {
  return ::rill::global_variables(scope);
}
}  // namespace rill
