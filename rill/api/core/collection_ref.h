#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/core/collections.h"

namespace rill {

// A collection of the graph that was the default one when it was asked for: what is done to it is
// done to the collection. It keeps the graph alive.
//
//   auto losses = tf::get_collection_ref("losses");
//   losses.clear();
class CollectionRef {
 public:
  explicit CollectionRef(std::string key);

  std::vector<CollectionItem> items() const;
  std::size_t size() const { return items().size(); }
  bool empty() const { return items().empty(); }
  CollectionItem operator[](std::size_t i) const { return items().at(i); }

  void append(CollectionItem item);
  void extend(const std::vector<CollectionItem>& items);
  void clear();
  // The first that is equal; throws InvalidArgument where there is none.
  void remove(const CollectionItem& item);
  CollectionRef& operator=(const std::vector<CollectionItem>& items);  // in place of all

 private:
  std::shared_ptr<Graph> graph_;
  std::string key_;
};
CollectionRef get_collection_ref(const std::string& key);

}  // namespace rill
