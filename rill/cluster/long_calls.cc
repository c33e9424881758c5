#include "rill/cluster/long_calls.h"

#include "rill/cluster/service.h"
#include "rill/net/long_work.h"

namespace rill::cluster {

void LongCalls::run(std::function<void()> task) {
  constexpr int kMostOnCallers = 2;
  if (Service::OnThisThread::is_allowed()) return task();
  const bool is_brought = net::long_work_hooks().step_aside != nullptr && !net::LongWork::is_here();
  if (!is_brought) return threads_.run(std::move(task));
  if (on_callers_.fetch_add(1) < kMostOnCallers) {
    const net::LongWork work;
    task();
  } else {
    threads_.run(std::move(task));
  }
  --on_callers_;
}

}  // namespace rill::cluster
