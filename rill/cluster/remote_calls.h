#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rill/cluster/step_rendezvous.h"
#include "rill/graph/function.h"
#include "rill/kernel/remote_caller.h"

namespace rill::cluster {

// Functions that a part of a session's graph has other tasks of the session run: each is sent there
// once, as a graph that receives the arguments and sends the results.
class RemoteCalls final : public RemoteCaller {
 public:
  RemoteCalls(std::string session, std::shared_ptr<const Links> links,
              std::shared_ptr<const FunctionLibrary> library)
      : session_(std::move(session)), links_(std::move(links)), library_(std::move(library)) {}

  void call(const RemoteFunction& function, StepContext& step, std::vector<Tensor> arguments,
            BoundFunction::Done done) override;

 private:
  struct Sent;
  std::shared_ptr<Sent> sent(const RemoteFunction& function, const std::shared_ptr<Link>& link);
  std::shared_ptr<Link> link_of(const std::string& device) const;

  const std::string session_;
  const std::shared_ptr<const Links> links_;
  const std::shared_ptr<const FunctionLibrary> library_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Sent>> sent_;  // by function and device
};

}  // namespace rill::cluster
