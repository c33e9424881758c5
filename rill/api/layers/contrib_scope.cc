#include "rill/api/layers/contrib_scope.h"

#include <algorithm>

namespace rill::contrib::layers {
namespace {

thread_local const DeviceChoice* variable_device = nullptr;

struct Aliases {
  std::map<std::pair<const Node*, int>, Names> names;
};

GetVariableOptions as_model_variable(GetVariableOptions options) {
  Names collections = options.collections.value_or(Names());
  collections.emplace_back(GraphKeys::GLOBAL_VARIABLES);
  collections.emplace_back(GraphKeys::MODEL_VARIABLES);
  options.collections = std::move(collections);
  return options;
}

// No device beyond those around unless one was chosen.
OnDevice chosen_device() { return OnDevice(variable_device ? *variable_device : DeviceChoice("")); }

}  // namespace

ModelVariableDevice::ModelVariableDevice(DeviceChoice device)
    : device_(std::move(device)), outer_(variable_device) {
  variable_device = &device_;
}
ModelVariableDevice::~ModelVariableDevice() { variable_device = outer_; }

std::unique_ptr<VariableScopeBlock> model_scope(const ScopeChoice& scope,
                                                const std::string& otherwise, Reuse reuse,
                                                const std::map<std::string, std::string>& renames,
                                                std::source_location at) {
  VariableScopeOptions options;
  options.reuse = reuse;
  options.custom_getter.get = [renames](const Getter& getter, const std::string& name,
                                        const GetVariableOptions& how) {
    const std::size_t start = name.rfind('/') + 1;
    const auto found = renames.find(name.substr(start));
    const std::string own = found == renames.end() ? name : name.substr(0, start) + found->second;
    const OnDevice there = chosen_device();
    return getter(own, as_model_variable(how));
  };
  return scope ? scope.open(options, at)
               : VariableScopeBlock::with_default_name(otherwise, options, at);
}

Variable model_variable(const std::string& name, const PartialShape& shape, DType dtype,
                        const Initializer& initializer, const Regularizer& regularizer,
                        bool trainable) {
  GetVariableOptions options;
  options.shape = shape;
  options.dtype = dtype;
  options.initializer = initializer;
  options.regularizer = regularizer;
  options.trainable = trainable;
  return get_variable(name, options);
}

void collect(const rill::layers::Weight& weight, const std::string& name,
             const VariableCollections& collections) {
  Names wanted = collections.all;
  if (const auto found = collections.by_name.find(name); found != collections.by_name.end())
    wanted.insert(wanted.end(), found->second.begin(), found->second.end());
  for (const Variable& variable : weight.variables())
    for (const std::string& collection : wanted)
      if (const CollectionItem item = std::shared_ptr<Collectable>(variable.state());
          !std::ranges::count(get_collection(collection), item))
        add_to_collection(collection, item);
}

const Names& aliases_of(Output output) {
  return output.node->graph().attached<Aliases>().names[{output.node, output.index}];
}

void add_alias(Output output, const std::string& alias) {
  output.node->graph().attached<Aliases>().names[{output.node, output.index}].push_back(alias);
}

Output collect_named_output(const Names& collections, const std::string& alias, Output output) {
  if (collections.empty()) return output;
  add_alias(output, alias);
  add_to_collections(collections, output);
  return output;
}

Output finished(Output outputs, const Activation& normalizer, const Activation& activation,
                const Names& collections, const VariableScopeBlock& in) {
  outputs = activation(normalizer(outputs));
  return collect_named_output(collections, in.scope()->name, outputs);
}

}  // namespace rill::contrib::layers
