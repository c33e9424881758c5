#pragma once

#include <deque>
#include <mutex>
#include <unordered_map>

#include "rill/kernel/rendezvous.h"

namespace rill {

// The rendezvous of one step inside one process. A value waits for its receiver or a receiver for
// its value, whichever comes first; values under one key are received in the order they were sent.
// `done` is called on the thread that completes the pair, with no lock held.
class LocalRendezvous final : public Rendezvous {
 public:
  void send(const std::string& key, Tensor value, bool is_dead) override;
  void receive(const std::string& key, Receive done) override;
  void abort(std::exception_ptr error) override;

 private:
  struct Sent {
    Tensor value;
    bool is_dead = false;
  };
  struct Meeting {
    std::deque<Sent> values;
    std::deque<Receive> receivers;  // empty unless `values` is
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Meeting> meetings_;
  std::exception_ptr error_;
};

}  // namespace rill
