#include "rill/base/stores/retries.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "rill/base/clock.h"

namespace rill::stores {
namespace {

constexpr double kFirstPause = .1, kLongestPause = 20;

// 0 to 1; processes and threads do not come back at the same moment.
double random_part() {
  static std::atomic<std::uint64_t> drawn = 0;
  std::uint64_t x = static_cast<std::uint64_t>(monotonic_nanos()) + drawn++ * 0x9e3779b97f4a7c15 +
                    static_cast<std::uint64_t>(::getpid());
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

}  // namespace

RetryLimits retry_limits() {
  RetryLimits limits;
  const char* const text = std::getenv("RILL_STORE_RETRY_SECONDS");
  double seconds = 0;
  if (text != nullptr && parse_float(text, &seconds) && seconds >= 0) limits.seconds = seconds;
  return limits;
}

Retries::Retries() : limits_(retry_limits()), start_(monotonic_nanos()) {}

double Retries::seconds() const { return static_cast<double>(monotonic_nanos() - start_) / 1e9; }

bool Retries::again(double wished) {
  const double most = std::min(kLongestPause, kFirstPause * static_cast<double>(1 << tries_));
  const double pause = std::max(wished, most * (.5 + .5 * random_part()));
  if (tries_ >= limits_.tries || seconds() + pause > limits_.seconds) return false;
  ++tries_;
  std::this_thread::sleep_for(std::chrono::duration<double>(pause));
  return true;
}

bool is_passing(long status) {
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

double seconds_to_wait(const HttpAnswer& answer) {
  long long seconds = 0;
  return parse_int(answer.header("retry-after"), &seconds) && seconds >= 0
             ? static_cast<double>(seconds)
             : -1;
}

Code code_of_status(long status) {
  if (status == 404 || status == 410) return Code::kNotFound;
  if (status == 401) return Code::kUnauthenticated;
  if (status == 403) return Code::kPermissionDenied;
  if (status == 408 || status == 504) return Code::kDeadlineExceeded;
  if (status == 409) return Code::kAborted;
  if (status == 412) return Code::kFailedPrecondition;
  if (status == 416) return Code::kOutOfRange;
  if (status == 429 || status >= 500) return Code::kUnavailable;
  return status == 400 ? Code::kInvalidArgument : Code::kFailedPrecondition;
}

}  // namespace rill::stores
