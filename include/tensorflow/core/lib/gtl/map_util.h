#ifndef TENSORFLOW_CORE_LIB_GTL_MAP_UTIL_H_
#define TENSORFLOW_CORE_LIB_GTL_MAP_UTIL_H_

#include <utility>

namespace tensorflow {
namespace gtl {

template <class Collection>
typename Collection::value_type::second_type* FindOrNull(
    Collection& collection, const typename Collection::value_type::first_type& key) {
  typename Collection::iterator it = collection.find(key);
  return it == collection.end() ? nullptr : &it->second;
}
template <class Collection>
const typename Collection::value_type::second_type* FindOrNull(
    const Collection& collection, const typename Collection::value_type::first_type& key) {
  typename Collection::const_iterator it = collection.find(key);
  return it == collection.end() ? nullptr : &it->second;
}
template <class Collection>
const typename Collection::value_type::second_type& FindWithDefault(
    const Collection& collection, const typename Collection::value_type::first_type& key,
    const typename Collection::value_type::second_type& value) {
  typename Collection::const_iterator it = collection.find(key);
  return it == collection.end() ? value : it->second;
}
template <class Collection>
bool InsertIfNotPresent(Collection* collection, const typename Collection::value_type& value) {
  return collection->insert(value).second;
}

}  // namespace gtl
}  // namespace tensorflow

#endif
