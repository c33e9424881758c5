#include "rill/base/signals.h"

#include <signal.h>

#include <algorithm>
#include <span>

#include "rill/base/error.h"

namespace rill {
namespace {

sigset_t set_of(std::span<const int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
}

}  // namespace

AwaitedSignals::AwaitedSignals(std::initializer_list<int> numbers) : count_(numbers.size()) {
  require(numbers.size() <= std::size(numbers_), "too many signals");
  std::ranges::copy(numbers, numbers_);
  const sigset_t set = set_of({numbers_, count_});
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

int AwaitedSignals::wait(std::int64_t millis) {
  const sigset_t set = set_of({numbers_, count_});
  const timespec time{.tv_sec = millis / 1000, .tv_nsec = millis % 1000 * 1'000'000};
  return std::max(0, sigtimedwait(&set, nullptr, &time));
}

}  // namespace rill
