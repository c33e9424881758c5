#include "rill/api/core/collections.h"

#include <re2/re2.h>

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/runtime/session/initializer_hint.h"

namespace rill {
namespace {

std::string name_of(const CollectionItem& item) {
  if (const auto* output = std::get_if<Output>(&item)) return output->name();
  if (const auto* node = std::get_if<Node*>(&item)) return (*node)->name();
  if (const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item))
    return (*object)->collected_name();
  return {};
}

}  // namespace

std::vector<CollectionItem>* Collections::find(std::string_view name) {
  const auto found = std::ranges::find(lists_, name, [](const auto& list) { return list.first; });
  return found == lists_.end() ? nullptr : &found->second;
}

void Collections::add(std::string_view name, CollectionItem item) {
  const std::lock_guard lock(mutex_);
  std::vector<CollectionItem>* list = find(name);
  if (list == nullptr) list = &lists_.emplace_back(std::string(name), 0).second;
  list->push_back(std::move(item));
}

std::vector<CollectionItem> Collections::get(std::string_view name, std::string_view scope) const {
  std::vector<CollectionItem> items;
  {
    const std::lock_guard lock(mutex_);
    if (const auto* list = const_cast<Collections*>(this)->find(name)) items = *list;
  }
  if (scope.empty()) return items;
  const RE2 expression(re2::StringPiece(scope.data(), scope.size()), RE2::Quiet);
  require(expression.ok(), "the scope '", scope,
          "' is no regular expression: ", expression.error());
  std::erase_if(items, [&](const CollectionItem& item) {
    const std::string own = name_of(item);
    return own.empty() || !expression.Match(own, 0, own.size(), RE2::ANCHOR_START, nullptr, 0);
  });
  return items;
}

void Collections::clear(std::string_view name) {
  std::vector<CollectionItem> gone;  // dies without the lock: objects of programs may do anything
  const std::lock_guard lock(mutex_);
  if (std::vector<CollectionItem>* list = find(name)) gone.swap(*list);
}

std::vector<std::string> Collections::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& list : lists_) names.push_back(list.first);
  return names;
}

namespace {

// For errors of sessions: what initialises a variable follows from the collection it is in.
std::string initializer_call(Graph& graph, std::string_view variable) {
  const auto holds = [&](std::string_view collection) {
    return std::ranges::any_of(graph.attached<Collections>().get(collection),
                               [&](const CollectionItem& item) {
                                 const std::string own = name_of(item);
                                 return own == variable || own == str_cat(variable, ":0");
                               });
  };
  if (holds(GraphKeys::GLOBAL_VARIABLES)) return "tf.global_variables_initializer()";
  if (holds(GraphKeys::LOCAL_VARIABLES)) return "tf.local_variables_initializer()";
  return "";
}

}  // namespace

Collections& collections_of(Graph& graph) {
  auto& found = graph.attached<Collections>();
  graph.attached<InitializerHints>().find = initializer_call;
  return found;
}

void add_to_collection(std::string_view name, CollectionItem item) {
  if (Node* const* node = std::get_if<Node*>(&item))
    if (*node != nullptr && (*node)->is_executed()) return;  // it has run, and belongs to nobody
  collections_of(*default_graph()).add(name, std::move(item));
}

void add_to_collections(const std::vector<std::string>& names, const CollectionItem& item) {
  std::vector<std::string> done;  // a name given twice counts once
  for (const std::string& name : names) {
    if (std::ranges::find(done, name) != done.end()) continue;
    done.push_back(name);
    add_to_collection(name, item);
  }
}

Node* operation_of(const CollectionItem& item) {
  if (const auto* tensor = std::get_if<Output>(&item)) return tensor->node;
  if (const auto* node = std::get_if<Node*>(&item)) return *node;
  const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item);
  Node* const operation = object == nullptr ? nullptr : (*object)->operation();
  require(operation != nullptr, "an item of a collection is no operation to wait for");
  return operation;
}

std::vector<CollectionItem> get_collection(std::string_view name, std::string_view scope) {
  return collections_of(*default_graph()).get(name, scope);
}

std::vector<Output> get_tensor_collection(std::string_view name, std::string_view scope) {
  std::vector<Output> tensors;
  for (const CollectionItem& item : get_collection(name, scope)) {
    if (const auto* output = std::get_if<Output>(&item)) tensors.push_back(*output);
    if (const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item))
      if (const auto* lazy = dynamic_cast<LazyTensor*>(object->get()))
        tensors.push_back(lazy->make());
  }
  return tensors;
}

}  // namespace rill
