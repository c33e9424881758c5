#include "rill/serve/core/quiet_thread.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rill::serve {
namespace {

// A third of what others get when all want the processor: more would keep a server that is never
// idle from ever getting a new version.
constexpr int kNice = 5;
// The lowest level of the class that has levels; linux/ioprio.h is not everywhere.
constexpr int kLowestBestEffort = 2 << 13 | 7, kThisThread = 1;

}  // namespace

// Where the system refuses one of these, the others help.
void make_this_thread_quiet() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kNice);
  syscall(SYS_ioprio_set, kThisThread, 0, kLowestBestEffort);
}

}  // namespace rill::serve
