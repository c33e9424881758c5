#pragma once

#include <cstdint>
#include <memory>

#include "rill/cluster/service.h"
#include "rill/cluster/task_options.h"

namespace tensorflow {
class ServerDef;
}

namespace rill::cluster {

class Master;
class Worker;

// What a task answers, however it is reached.
class TaskServices {
 public:
  explicit TaskServices(const tensorflow::ServerDef& def, const TaskOptions& options = {});
  ~TaskServices();  // ends what runs

  const Service& service() const { return service_; }
  const Master& master() const { return *master_; }
  const Worker& worker() const { return *worker_; }

 private:
  void add_status(const std::string& address);

  const std::int64_t began_;  // of monotonic_nanos()
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<Master> master_;
  Service service_;  // of both
};

}  // namespace rill::cluster
