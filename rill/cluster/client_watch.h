#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "rill/base/scheduler.h"

namespace rill::cluster {

// Looks ten times a second whether those who wait for something are still there, or their time is
// over, and says so once.
class ClientWatch {
 public:
  ClientWatch();
  ~ClientWatch();
  ClientWatch(const ClientWatch&) = delete;
  ClientWatch& operator=(const ClientWatch&) = delete;

  // Until forget() was called, `is_gone` is asked; `then` is called where it says so. Neither
  // waits.
  std::int64_t add(std::function<bool()> is_gone, std::function<void()> then);
  void forget(std::int64_t id);  // neither function runs any more afterwards

 private:
  struct Watched {
    std::function<bool()> is_gone;
    std::function<void()> then;
  };
  void look();

  std::mutex mutex_;
  Condition changed_;
  std::map<std::int64_t, Watched> watched_;
  std::int64_t next_ = 1, current_ = 0;
  int forgetting_ = 0;  // who wait for a function to return
  bool stopping_ = false, sleeps_ = false;
  Thread thread_;
};

}  // namespace rill::cluster
