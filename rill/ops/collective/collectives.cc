#include "rill/ops/collective/collectives.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill {

int CollectiveGroup::rank_of(const std::string& device) const {
  const auto found = std::ranges::find(devices, device);
  if (found == devices.end())
    raise(Code::kInternal, "device ", device, " is no member of its collective group");
  return static_cast<int>(found - devices.begin());
}

std::string CollectiveGroup::key(int from, int to, std::int64_t instance,
                                 const std::string& part) const {
  const auto sender = static_cast<std::size_t>(from);
  char incarnation[17];
  std::snprintf(incarnation, sizeof incarnation, "%016llx",
                static_cast<unsigned long long>(incarnations.at(sender)));
  return str_cat(devices.at(sender), ";", incarnation, ";",
                 devices.at(static_cast<std::size_t>(to)), ";collective/", instance, "/", part,
                 ";0:0");
}

namespace {

struct OfProcess {
  std::mutex mutex;
  ProcessCollectives collectives;
};
OfProcess& of_process() {
  static OfProcess& process = *new OfProcess;
  return process;
}

}  // namespace

void set_process_collectives(ProcessCollectives collectives) {
  const std::lock_guard lock(of_process().mutex);
  of_process().collectives = std::move(collectives);
}

ProcessCollectives process_collectives() {
  const std::lock_guard lock(of_process().mutex);
  return of_process().collectives;
}

}  // namespace rill
