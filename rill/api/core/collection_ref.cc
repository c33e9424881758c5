#include "rill/api/core/collection_ref.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"

namespace rill {

CollectionRef::CollectionRef(std::string key) : graph_(default_graph()), key_(std::move(key)) {}

std::vector<CollectionItem> CollectionRef::items() const {
  return collections_of(*graph_).get(key_);
}
void CollectionRef::append(CollectionItem item) {
  collections_of(*graph_).add(key_, std::move(item));
}
void CollectionRef::extend(const std::vector<CollectionItem>& items) {
  for (const CollectionItem& item : items) append(item);
}
void CollectionRef::clear() { collections_of(*graph_).clear(key_); }

void CollectionRef::remove(const CollectionItem& item) {
  std::vector<CollectionItem> left = items();
  const auto found = std::ranges::find(left, item);
  require(found != left.end(), "the collection '", key_, "' does not hold that item");
  left.erase(found);
  *this = left;
}

CollectionRef& CollectionRef::operator=(const std::vector<CollectionItem>& items) {
  clear();
  extend(items);
  return *this;
}

CollectionRef get_collection_ref(const std::string& key) { return CollectionRef(key); }

}  // namespace rill
