#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rill/api/core/graph_keys.h"
#include "rill/graph/graph.h"

namespace rill {

// What collections hold besides tensors, operations and plain values: variables, tables, objects of
// another language. Shared: an item lives as long as any collection or program holds it.
class Collectable {
 public:
  virtual ~Collectable() = default;
  // What scope filters look at; nothing where the object has no name.
  virtual std::string collected_name() const { return {}; }
  virtual Node* operation() const { return nullptr; }  // that nodes wait for; none: they cannot
};

// A tensor that is made anew for whoever uses it, so that it can be used inside functions; the
// first one, made by the constructor, is what runs fetch.
class LazyTensor : public Collectable {
 public:
  explicit LazyTensor(std::function<Output()> make) : make_(std::move(make)), first_(make_()) {}
  std::string collected_name() const override { return first_.name(); }
  Node* operation() const override { return first_.node; }
  Output first() const { return first_; }
  Output make() const { return make_(); }

 private:
  std::function<Output()> make_;
  Output first_;
};

using CollectionItem =
    std::variant<Output, Node*, std::string, std::int64_t, double, std::shared_ptr<Collectable>>;

// The operation that an item stands for, as ControlDependencies and group() ask; throws
// InvalidArgument for an item that stands for none.
Node* operation_of(const CollectionItem& item);
template <std::same_as<CollectionItem> T>
Node* dependency_of(const T& item) {
  return operation_of(item);
}

// The collections of one graph: lists under names, in the order in which items came. An item added
// twice is there twice. Safe from several threads.
//
//   add_to_collection(GraphKeys::LOSSES, loss);
//   for (const Output& loss : get_tensor_collection(GraphKeys::LOSSES)) ...
class Collections {
 public:
  void add(std::string_view name, CollectionItem item);
  // A copy, empty where there is no such collection. With a scope, only items whose names the
  // regular expression matches from the start; items without a name, such as numbers, are then left
  // out. Throws InvalidArgument where it is no regular expression.
  std::vector<CollectionItem> get(std::string_view name, std::string_view scope = {}) const;
  // Empties a list; its name stays among names().
  void clear(std::string_view name);
  std::vector<std::string> names() const;  // of all that were added to, in the order of that

  // The items of one kind: collected<VariableState>(GraphKeys::GLOBAL_VARIABLES).
  template <class T>
  std::vector<std::shared_ptr<T>> collected(std::string_view name,
                                            std::string_view scope = {}) const {
    std::vector<std::shared_ptr<T>> found;
    for (const CollectionItem& item : get(name, scope))
      if (const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item))
        if (auto typed = std::dynamic_pointer_cast<T>(*object)) found.push_back(std::move(typed));
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::vector<CollectionItem>>> lists_;
  std::vector<CollectionItem>* find(std::string_view name);
};

// Made with the graph, and gone with it.
Collections& collections_of(Graph& graph);

// In the default graph. add_to_collections() takes a name that is given twice as one.
void add_to_collection(std::string_view name, CollectionItem item);
void add_to_collections(const std::vector<std::string>& names, const CollectionItem& item);
std::vector<CollectionItem> get_collection(std::string_view name, std::string_view scope = {});
// The tensors among them, lazy ones made.
std::vector<Output> get_tensor_collection(std::string_view name, std::string_view scope = {});

}  // namespace rill
