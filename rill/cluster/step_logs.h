#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "rill/cluster/step_rendezvous.h"

namespace tensorflow {
class LoggingRequest;
class LoggingResponse;
class StepStats;
}  // namespace tensorflow

namespace rill::cluster {

// "edge_12_w" of a key.
std::string tensor_of_key(const std::string& key);

// Adds the transfers to what the devices that received them did, as nodes of the name RecvTensor.
void write_transfers(const std::vector<Transfer>& transfers, tensorflow::StepStats* stats);

// What steps took from other tasks, kept while somebody wants it: WorkerService.Logging. Safe from
// several threads.
class StepLogs {
 public:
  bool is_on() const { return is_on_; }
  void add(std::int64_t step, const std::vector<Transfer>& transfers);
  void answer(const tensorflow::LoggingRequest& request, tensorflow::LoggingResponse* response);

 private:
  struct Log {
    std::int64_t step;
    std::vector<Transfer> transfers;
  };
  std::atomic<bool> is_on_ = false;
  std::mutex mutex_;
  std::deque<Log> logs_;  // the latest steps
};

}  // namespace rill::cluster
