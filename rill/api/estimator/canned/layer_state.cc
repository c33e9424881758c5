#include "rill/api/estimator/canned/layer_state.h"

#include <cctype>

namespace rill::estimator {

namespace fc = feature_column;

void LayerState::create_variable(const fc::FeatureColumn& column, const std::string& name,
                                 const VariableRequest& request) {
  GetVariableOptions options;
  options.shape = request.shape;
  options.dtype = DType::f32;
  options.initializer = request.initializer;
  options.trainable = request.trainable;
  variables_[{column.text(), name}] = get_any_variable(name, options);
}

AnyVariable LayerState::get_variable(const fc::FeatureColumn& column, const std::string& name,
                                     const VariableRequest& request) {
  const std::pair key{column.text(), name};
  if (!variables_.contains(key)) create_variable(column, name, request);
  return variables_.at(key);
}

std::string scope_name_of(const fc::FeatureColumn& column) {
  std::string name = column.name();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("_./\\-").find(c) == std::string_view::npos)
      c = '_';
  return name;
}

}  // namespace rill::estimator
