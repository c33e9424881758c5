#include "rill/api/data/iterator.h"

#include <algorithm>
#include <map>
#include <set>

#include "rill/api/core/collections.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/data/stage.h"
#include "rill/base/error.h"
#include "rill/graph/function_define.h"

namespace rill::data {
namespace {

// The nodes that are datasets, or what datasets are made of: those that variants come from.
std::set<const Node*> dataset_nodes(Output variant) {
  std::set<const Node*> found{variant.node};
  std::vector<const Node*> open{variant.node};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Output& input : node->inputs())
      if (base_type(input.dtype()) == DType::variant && found.insert(input.node).second)
        open.push_back(input.node);
  }
  return found;
}

void check_can_be_copied(const Node& node, const std::set<const Node*>& datasets) {
  const std::string what =
      str_cat(" (name:", node.name(), ", type:", node.op().name, ") by value.");
  require(node.op().name.substr(0, 11) != "Placeholder", "Cannot capture a placeholder", what);
  require(datasets.contains(&node) || !node.op().has(kStateful), "Cannot capture a stateful node",
          what);
}

// Copies what `variant` is computed from into `body`.
Output copied_into(Graph& body, Output variant) {
  const std::set<const Node*> datasets = dataset_nodes(variant);
  std::map<int, const Node*> needed{{variant.node->id(), variant.node}};
  std::vector<const Node*> open{variant.node};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    check_can_be_copied(*node, datasets);
    for (const Output& input : node->inputs())
      if (needed.emplace(input.node->id(), input.node).second) open.push_back(input.node);
  }
  std::map<const Node*, Node*> copies;
  for (const auto& [id, node] : needed) {
    std::vector<Output> inputs;
    for (const Output& input : node->inputs())
      inputs.push_back(copies.at(input.node)->output(input.index));
    NodeSpec spec{.op = node->op().name, .name = body.unique_name(node->name()), .inputs = inputs};
    spec.attrs = node->attrs();
    spec.device = node->device();
    spec.attrs.erase("_class");
    copies.emplace(node, &body.add(std::move(spec)));
  }
  return copies.at(variant.node)->output(variant.index);
}

// A function without arguments that makes the dataset.
FuncName dataset_factory(const Dataset& dataset) {
  const std::shared_ptr<Graph> graph = default_graph();
  FunctionBuilder builder(*graph);
  Output made;
  try {
    const Output copy = copied_into(*builder.body(), dataset.variant());
    const AsDefault inside(builder.body());
    made = Dataset(copy, dataset.element(), dataset.options()).with_options_applied().variant();
  } catch (const Error& error) {
    if (error.message().find("Cannot capture a stateful node") == std::string::npos) throw;
    raise(Code::kInvalidArgument,
          "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` "
          "does not support datasets that capture stateful objects, such as a `Variable` or "
          "`LookupTable`. In these cases, use `Dataset.make_initializable_iterator()`. (Original "
          "error: ",
          error.message(), ")");
  }
  Function function = builder.finish({made}, {.base_name = "_make_dataset"});
  FuncName name{function.name(), {}};
  define_function(*graph, std::move(function));
  return name;
}

}  // namespace

Iterator::Iterator(Output resource, Node* initializer, ElementSpec element)
    : resource_(resource), initializer_(initializer), element_(std::move(element)) {
  if (resource.node->is_executed()) return;
  string_handle_ = Stage("IteratorToStringHandle").in(resource).made();
  add_to_collection("iterators", resource);
}

Iterator Iterator::from_structure(const ElementSpec& element, const std::string& shared_name) {
  const Output resource = Stage("IteratorV2")
                              .attr("container", "")
                              .attr("shared_name", shared_name)
                              .element(element)
                              .made();
  return {resource, nullptr, element};
}

Iterator Iterator::from_string_handle(const Input& string_handle, const ElementSpec& element) {
  const Output handle = as_tensor(string_handle, "Const", DType::string);
  return {Stage("IteratorFromStringHandleV2").in(handle).element(element).made(), nullptr, element};
}

Node& Iterator::initializer() const {
  require(initializer_ != nullptr,
          "The iterator does not have an initializer. This means it was likely created using "
          "`tf.data.Dataset.make_one_shot_iterator()`. For an initializable iterator, use "
          "`tf.data.Dataset.make_initializable_iterator()` instead.");
  return *initializer_;
}

Node& Iterator::make_initializer(const Dataset& dataset, const std::string& name) const {
  const ElementSpec& other = dataset.element();
  require_type(element_.parts.size() == other.parts.size(), "Expected elements of ",
               element_.parts.size(), " parts but got dataset with ", other.parts.size());
  for (std::size_t i = 0; i < other.parts.size(); ++i) {
    const ComponentSpec &mine = element_.parts[i], &theirs = other.parts[i];
    require_type(mine.kind == theirs.kind, "Expected output classes ", to_text(mine),
                 " but got dataset with output classes ", to_text(theirs), ".");
    require_type(mine.dtype == theirs.dtype, "Expected output types ", mine.dtype,
                 " but got dataset with output types ", theirs.dtype, ".");
    require_type(mine.shape.is_compatible(theirs.shape), "Expected output shapes compatible with ",
                 mine.shape, " but got dataset with output shapes ", theirs.shape, ".");
  }
  const Dataset applied = dataset.with_options_applied();
  const ColocateWith beside(*resource_.node);
  return Stage("MakeIterator", name.empty() ? "make_initializer" : name)
      .in(applied.variant())
      .in(resource_)
      .add();
}

std::vector<Output> Iterator::next_tensors(const std::string& name) const {
  std::vector<Output> tensors;
  for (const Component& part : get_next(name)) tensors.push_back(part.tensor());
  return tensors;
}

Components Iterator::get_next(const std::string& name) const {
  return parts_of(
      element_, all_outputs(Stage("IteratorGetNext", name).in(resource_).element(element_).add()));
}

Component Iterator::get_next_as_optional() const {
  const Output variant = Stage("IteratorGetNextAsOptional").in(resource_).element(element_).made();
  return Nested{ComponentKind::kOptional, variant, element_};
}

Output Iterator::string_handle(const std::string& name) const {
  if (name.empty() && string_handle_.node) return string_handle_;
  return Stage("IteratorToStringHandle", name).in(resource_).made();
}

Iterator Dataset::make_one_shot_iterator(std::source_location at) const {
  const MadeAt line(at);
  if (executing_eagerly()) {
    Iterator begun = Iterator::from_structure(element_);
    begun.make_initializer(*this);
    return begun;
  }
  const FuncName factory = dataset_factory(*this);
  const ColocateWith beside(*variant_.node);
  const Output resource =
      Stage("OneShotIterator").attr("dataset_factory", factory).element(element_).made();
  return {resource, nullptr, element_};
}

Iterator Dataset::make_initializable_iterator(const std::string& shared_name,
                                              std::source_location at) const {
  const MadeAt line(at);
  const Dataset applied = with_options_applied();
  const ColocateWith beside(*variant_.node);
  const Output resource = Stage("IteratorV2")
                              .attr("container", "")
                              .attr("shared_name", shared_name)
                              .element(element_)
                              .made();
  Node& initializer = Stage("MakeIterator").in(applied.variant()).in(resource).add();
  return {resource, &initializer, element_};
}

// --- optionals ---------------------------------------------------------------------------------

Component optional_from_value(const Components& value) {
  const Block in("", "optional", std::source_location::current());
  Components parts;
  for (const Component& part : value) parts.push_back(part.as_tensors("value"));
  const std::vector<Output> carried = carriers(parts);
  const Output variant =
      Stage("OptionalFromValue").in(std::vector<Input>(carried.begin(), carried.end())).made();
  return Nested{ComponentKind::kOptional, variant, spec_of(parts)};
}

Component optional_none(const ElementSpec& element) {
  return Nested{ComponentKind::kOptional, Stage("OptionalNone").made(), element};
}

Output optional_has_value(const Component& optional, const std::string& name) {
  return Stage("OptionalHasValue", name).in(optional.nested().variant).made();
}

Components optional_get_value(const Component& optional, const std::string& name) {
  const Nested& nested = optional.nested();
  const Block in(name, "OptionalGetValue", std::source_location::current());
  Node& node =
      Stage("OptionalGetValue", in.own_name()).in(nested.variant).element(nested.element).add();
  return parts_of(nested.element, all_outputs(node));
}

}  // namespace rill::data
