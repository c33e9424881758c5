#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rill/cluster/service.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill::cluster {

// The ways to the other tasks, by name.
using Links = std::map<std::string, std::shared_ptr<Link>>;

// What is sent and received in one step, as one task sees it: what is sent here waits here until
// somebody asks for it, what another task sends is fetched there. Safe from several threads.
class StepRendezvous final : public Rendezvous,
                             public std::enable_shared_from_this<StepRendezvous> {
 public:
  // `task` is this one's name.
  StepRendezvous(std::int64_t step_id, std::string task)
      : step_id_(step_id), task_(std::move(task)) {}

  void connect(std::shared_ptr<const Links> links);  // before something is received

  void send(const std::string& key, Tensor value, bool is_dead) override;
  void receive(const std::string& key, Receive done) override;
  void abort(std::exception_ptr error) override;
  // For another task, which asks for what is sent here.
  void receive_here(const std::string& key, Receive done);

 private:
  void fetch(const std::string& task, const std::string& key, Receive done);

  const std::int64_t step_id_;
  const std::string task_;
  LocalRendezvous local_;
  std::mutex mutex_;
  std::shared_ptr<const Links> links_;
  std::map<std::int64_t, std::shared_ptr<net::PendingCall>> fetching_;
  std::int64_t next_fetch_ = 0;
  std::exception_ptr error_;
};

}  // namespace rill::cluster
