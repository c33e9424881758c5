#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rill/base/error.h"

namespace rill::serve {

// Which one: a name and one of its versions.
struct ServableId {
  std::string name;
  std::int64_t version = 0;
  friend auto operator<=>(const ServableId&, const ServableId&) = default;
};
inline std::string to_text(const ServableId& id) {
  return str_cat("{name: ", id.name, " version: ", id.version, "}");
}

// What answers requests: a model, a table, whatever a Loader makes. It goes away, on a thread of
// the manager, when the last request that uses it has ended.
class Servable {
 public:
  virtual ~Servable() = default;
};

// How far a version is; the numbers are ModelVersionStatus.State's.
enum class State {
  kUnknown = 0,
  kStart = 10,
  kLoading = 20,
  kAvailable = 30,
  kUnloading = 40,
  kEnd = 50
};

struct VersionStatus {
  std::int64_t version = 0;
  State state = State::kUnknown;
  std::optional<Error> error;  // why a version that could not be loaded is at its end
};

// Makes one version servable. Called from one thread at a time.
class Loader {
 public:
  virtual ~Loader() = default;
  // Throws when it cannot; it is then asked again, some times.
  virtual std::shared_ptr<Servable> load() = 0;
  // Whether it may be loaded by a thread that leaves processors and disks to others
  // (quiet_thread.h). Not when it makes threads for its servable, which would inherit that.
  virtual bool may_be_quiet() const { return false; }
};
using LoaderRef = std::shared_ptr<Loader>;

}  // namespace rill::serve
