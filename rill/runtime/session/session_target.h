#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/runtime/session/session.h"

namespace rill {

// What a session asks instead of running steps itself, where its target says so. Safe from several
// threads; throws as Session does.
class SessionTarget {
 public:
  virtual ~SessionTarget() = default;
  virtual std::vector<Tensor> run(std::span<const Feed> feeds, std::span<const Output> fetches,
                                  std::span<Node* const> targets, const RunOptions& options,
                                  StepStats* stats) = 0;
  virtual std::string partial_run_setup(std::span<const Output> feeds,
                                        std::span<const Output> fetches,
                                        std::span<Node* const> targets) = 0;
  virtual std::vector<Tensor> partial_run(const std::string& handle, std::span<const Feed> feeds,
                                          std::span<const Output> fetches) = 0;
  virtual std::vector<DeviceInfo> list_devices() = 0;
  virtual void close() = 0;
};

// How sessions whose target begins with `scheme` are opened.
struct SessionTargetType {
  std::string scheme;  // "grpc://"
  std::unique_ptr<SessionTarget> (*open)(const Graph& graph, const SessionOptions& options);
  void (*reset)(const SessionOptions& options, const std::vector<std::string>& containers);
};
void register_session_target(SessionTargetType type);  // replaces one of that scheme
// Null for sessions of this process. Throws Unimplemented for a scheme that nobody has registered.
const SessionTargetType* session_target_type(const std::string& target);

}  // namespace rill
