#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "rill/kernel/rendezvous.h"

namespace rill {

// A rendezvous of threads of one process, in order of arrival under each key.
class Mailbox final : public Rendezvous {
 public:
  void send(const std::string& key, Tensor value, bool is_dead) override;
  void receive(const std::string& key, Receive done) override;
  void abort(std::exception_ptr error) override;

 private:
  struct Slot {
    std::deque<Tensor> values;
    std::deque<Receive> waiting;
  };
  std::mutex mutex_;
  std::map<std::string, Slot> slots_;
  std::exception_ptr error_;
};

}  // namespace rill
