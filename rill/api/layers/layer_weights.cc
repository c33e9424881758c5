#include <algorithm>

#include "rill/api/core/made_here.h"
#include "rill/api/layers/layer.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::layers {
namespace {

bool contains_variable(const std::vector<Variable>& all, const Variable& variable) {
  return std::ranges::find(all, variable) != all.end();
}

void append_new(std::vector<Variable>& all, const std::vector<Variable>& more) {
  for (const Variable& variable : more)
    if (!contains_variable(all, variable)) all.push_back(variable);
}

bool is_trainable(const WeightOptions& o) {
  const bool on_read = o.synchronization == VariableSynchronization::ON_READ;
  require(!on_read || !o.trainable.value_or(false),
          "Synchronization value can be set to VariableSynchronization.ON_READ only for "
          "non-trainable variables. You have specified trainable=True and "
          "synchronization=VariableSynchronization.ON_READ.");
  return o.trainable.value_or(!on_read);
}

Initializer default_initializer(DType dtype, const std::string& name, const std::string& layer) {
  if (kFloatTypes.contains(dtype)) return glorot_uniform_initializer();
  if (kIntTypes.contains(dtype) || dtype == DType::boolean) return zeros_initializer();
  raise(Code::kInvalidArgument, "An initializer for variable ", name, " of type <dtype: '",
        numpy_name(dtype), "'> is required for layer ", layer);
}

}  // namespace

Weight Layer::add_weight(const std::string& name, const PartialShape& shape,
                         const WeightOptions& given, std::source_location at) {
  WeightOptions o = given;
  if (o.dtype == DType::invalid) o.dtype = dtype_ == DType::invalid ? DType::f32 : dtype_;
  if (dtype_ == DType::invalid) dtype_ = o.dtype;
  const Weight weight = style() == Style::kScoped ? add_scoped_weight(name, shape, std::move(o), at)
                                                  : add_owned_weight(name, shape, o, at);
  added_weights_.emplace_back(name, weight);
  return weight;
}

Weight Layer::added_weight(const std::string& name) const {
  for (const auto& [known, weight] : added_weights_)
    if (known == name) return weight;
  return {};
}

Weight Layer::add_scoped_weight(const std::string& name, const PartialShape& shape, WeightOptions o,
                                std::source_location at) {
  const bool wanted = is_trainable(o) && trainable();
  const std::vector<Variable> before = global_variables();
  open_scope({}, at);
  const VariableScopeBlock in(
      scope_, {.reuse = built ? Reuse::kYes : options_.reuse, .auxiliary_name_scope = false}, at);
  const Inside named(current_scope().named(in.scope()->original_name_scope));
  if (!o.initializer) o.initializer = in.scope()->initializer;
  if (!o.initializer) o.initializer = default_initializer(o.dtype, name, name_);
  if (!o.use_resource.value_or(false))
    o.use_resource = use_resources ? std::optional(true) : in.scope()->use_resource;
  const Weight weight = get_any_variable(name,
                                         {.shape = shape,
                                          .dtype = o.dtype,
                                          .initializer = o.initializer,
                                          .trainable = wanted,
                                          .collections = o.collections,
                                          .caching_device = o.caching_device,
                                          .partitioner = o.partitioner,
                                          .use_resource = o.use_resource,
                                          .constraint = o.constraint,
                                          .synchronization = o.synchronization,
                                          .aggregation = o.aggregation},
                                         at);
  const std::vector<Variable> variables = weight.variables();
  const bool is_new = std::ranges::none_of(
      variables, [&](const Variable& variable) { return contains_variable(before, variable); });
  if (o.regularizer && is_new) regularize(name, weight, o.regularizer);
  // As in TensorFlow, what is not itself among the trainable variables is not trained: variables
  // that are shared and were made otherwise, and those in parts.
  const auto* plain = std::get_if<Variable>(&weight.any());
  const bool trained =
      wanted && plain != nullptr &&
      (plain->is_eager() ? plain->trainable() : contains_variable(trainable_variables(), *plain));
  for (const Variable& variable : variables) track(variable, trained);
  return weight;
}

Weight Layer::add_owned_weight(const std::string& name, const PartialShape& shape,
                               const WeightOptions& o, std::source_location at) {
  const bool trained = is_trainable(o);
  const Initializer initializer =
      o.initializer ? o.initializer : default_initializer(o.dtype, name, name_);
  VariableOptions v;
  v.trainable = trained;
  v.collections = o.collections;
  v.caching_device = o.caching_device;
  v.dtype = o.dtype;
  v.constraint = o.constraint.apply;
  v.use_resource = o.use_resource.value_or(true);
  v.synchronization = o.synchronization;
  v.aggregation = o.aggregation;
  v.shape = shape;
  v.name = name;
  InitialValue value;
  if (initializer.value())
    value = *initializer.value();
  else
    value = std::function<Output()>([initializer, full = shape.full(), dtype = o.dtype] {
      return initializer({full, dtype, nullptr});
    });
  const Variable variable(value, v, at);
  const Weight weight{AnyVariable(variable)};
  if (o.regularizer)
    regularize(variable.name().substr(0, variable.name().find(':')), weight, o.regularizer);
  track(variable, trained);
  return weight;
}

void Layer::track(const Variable& variable, bool trainable) {
  append_new(trainable ? trainable_weights_ : non_trainable_weights_, {variable});
}

void Layer::regularize(const std::string& name, const Weight& weight,
                       const Regularizer& regularizer) {
  for (const Variable& variable : weight.variables())
    add_loss(std::function<Output()>([name, variable, regularizer] {
      const NameScope named(name + "/Regularizer");
      return regularizer.loss(variable);
    }));
}

std::vector<Variable> Layer::trainable_weights() const {
  if (!trainable()) return {};
  std::vector<Variable> all = trainable_weights_;
  for (const auto& part : parts_) append_new(all, part->trainable_weights());
  return all;
}

std::vector<Variable> Layer::non_trainable_weights() const {
  std::vector<Variable> all;
  if (!trainable()) append_new(all, trainable_weights_);
  append_new(all, non_trainable_weights_);
  for (const auto& part : parts_)
    append_new(all, trainable() ? part->non_trainable_weights() : part->weights());
  return all;
}

std::vector<Variable> Layer::weights() const {
  std::vector<Variable> all = trainable_weights();
  append_new(all, non_trainable_weights());
  return all;
}

std::int64_t Layer::count_params() const {
  require(built, "You tried to call `count_params` on ", name_,
          ", but the layer isn't built. You can build it manually via: `", name_,
          ".build(batch_input_shape)`.");
  std::int64_t count = 0;
  for (const Variable& variable : weights()) count += variable.shape().full().element_count();
  return count;
}

}  // namespace rill::layers
