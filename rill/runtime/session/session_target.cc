#include "rill/runtime/session/session_target.h"

#include <algorithm>
#include <list>
#include <mutex>

#include "rill/base/error.h"

namespace rill {
namespace {

struct Types {
  std::mutex mutex;
  std::list<SessionTargetType> types;  // stay where they are
};
Types& types() {
  static Types& all = *new Types;  // outlives sessions in static storage
  return all;
}

}  // namespace

void register_session_target(SessionTargetType type) {
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  const auto it = std::ranges::find(all.types, type.scheme, &SessionTargetType::scheme);
  if (it == all.types.end()) {
    all.types.push_back(std::move(type));
  } else {
    *it = std::move(type);
  }
}

const SessionTargetType* session_target_type(const std::string& target) {
  if (target.empty() || target == "local") return nullptr;
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  const auto it = std::ranges::find_if(all.types, [&](const SessionTargetType& type) {
    return target.starts_with(type.scheme) && target.size() > type.scheme.size();
  });
  if (it != all.types.end()) return &*it;
  raise(Code::kNotFound, "No session factory registered for the given session options: {target: \"",
        target, "\"} Registered factories are {DIRECT_SESSION, GRPC_SESSION}.");
}

}  // namespace rill
