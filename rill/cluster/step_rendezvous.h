#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/cluster/service.h"
#include "rill/cluster/tensor_message.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill::cluster {

// The ways to the other tasks, by name.
using Links = std::map<std::string, std::shared_ptr<Link>>;

// A value that came from another task.
struct Transfer {
  std::string key;
  std::int64_t bytes = 0, begin_micros = 0, end_micros = 0;
};

// One that a step waits for.
struct Awaited {
  std::string key, task;
  std::int64_t since = 0;  // of monotonic_nanos()
};

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

  // Asks tasks that have been waited for long whether they are there. What is fetched from one that
  // does not say so fails: a network may be cut between two tasks that the master reaches both.
  void ask_silent_tasks();
  std::vector<Awaited> awaited();
  // From now on it is noted what comes from other tasks.
  void note_transfers();
  std::vector<Transfer> take_transfers();

 private:
  struct Fetch {
    std::shared_ptr<net::PendingCall> call;
    Awaited awaited;
    std::shared_ptr<Link> link;
    std::int64_t asked = 0;        // when its task was last asked whether it is there
    std::optional<Error> failure;  // why it was taken back
  };
  void fetch(const std::string& task, const std::string& key, Receive done);
  void came(std::int64_t id, const std::shared_ptr<Link>& link, TensorMessage message,
            const Receive& done);
  void end_fetch(std::int64_t id, const std::optional<Error>& failure, TensorMessage message,
                 const Receive& done);
  void keep(std::int64_t id, std::shared_ptr<net::PendingCall> call);
  void take_back(const std::string& task, const Error& failure);

  const std::int64_t step_id_;
  const std::string task_;
  LocalRendezvous local_;
  std::mutex mutex_;
  std::shared_ptr<const Links> links_;
  std::map<std::int64_t, Fetch> fetching_;
  std::int64_t next_fetch_ = 0;
  std::exception_ptr error_;
  bool notes_transfers_ = false;
  std::vector<Transfer> transfers_;
};

}  // namespace rill::cluster
