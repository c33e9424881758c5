#ifndef TENSORFLOW_SERVING_CORE_SERVABLE_ID_H_
#define TENSORFLOW_SERVING_CORE_SERVABLE_ID_H_

#include <functional>
#include <ostream>
#include <string>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace serving {

// Which one: a name and one of its versions.
struct ServableId {
  string name;
  int64 version;
  string DebugString() const {
    return "{name: " + name + " version: " + std::to_string(version) + "}";
  }
};

struct HashServableId {
  uint64 operator()(const ServableId& id) const {
    return std::hash<string>()(id.name) * 31 + std::hash<int64>()(id.version);
  }
};

inline bool operator==(const ServableId& a, const ServableId& b) {
  return a.version == b.version && a.name == b.name;
}
inline bool operator!=(const ServableId& a, const ServableId& b) { return !(a == b); }
inline bool operator<(const ServableId& a, const ServableId& b) {
  return a.name != b.name ? a.name < b.name : a.version < b.version;
}
inline std::ostream& operator<<(std::ostream& out, const ServableId& id) {
  return out << id.DebugString();
}

}  // namespace serving
}  // namespace tensorflow

#endif
