#include <unistd.h>

#include <cstdio>
#include <map>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/inspect/process_view.h"
#include "rill/net/http/http_server.h"

namespace rill::cli {
namespace {

using namespace rill::inspect;

long long number_of(Options& given, const char* name, long long otherwise, long long most) {
  const auto text = given.value(name);
  long long value = otherwise;
  if (text && (!parse_int(*text, &value) || value < 1 || value > most))
    throw UsageError(str_cat(name, " needs a number from 1 to ", most));
  return value;
}

std::vector<ShownFigures> wanted_processes(long long pid) {
  std::vector<ShownFigures> all = figures_of_processes();
  if (pid > 0) std::erase_if(all, [&](const ShownFigures& one) { return one.pid != pid; });
  return all;
}

void show_once(long long pid) {
  std::vector<Activity> found;
  for (const ShownFigures& one : wanted_processes(pid))
    found.push_back(activity(one, wall_micros()));
  std::fputs(to_text(found).c_str(), stdout);
}

// Every so many seconds what happened since the last time; of new processes, since they began.
[[noreturn]] void show_forever(long long pid, long long seconds) {
  const bool clears = ::isatty(STDOUT_FILENO) == 1;
  std::map<std::int64_t, ShownFigures> before;
  std::int64_t at = monotonic_nanos();
  while (true) {
    const std::int64_t now = monotonic_nanos();
    std::vector<Activity> found;
    std::map<std::int64_t, ShownFigures> seen;
    for (ShownFigures& one : wanted_processes(pid)) {
      Activity since_start = activity(one, wall_micros());
      const auto known = before.find(one.pid);
      if (known != before.end() && known->second.start_micros == one.start_micros) {
        const double up = since_start.up_seconds;
        since_start = activity(known->second, one, 1e-9 * static_cast<double>(now - at));
        since_start.up_seconds = up;
      }
      found.push_back(std::move(since_start));
      seen.emplace(one.pid, std::move(one));
    }
    std::printf("%s%s\n", clears ? "\x1b[H\x1b[2J" : "", to_text(found).c_str());
    std::fflush(stdout);
    before = std::move(seen);
    at = now;
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
  }
}

void answer(const net::HttpRequest& request, const net::HttpReply& reply) {
  const bool is_metrics = request.target == "/metrics" || request.target.starts_with("/metrics?");
  if (!is_metrics || (request.method != "GET" && request.method != "HEAD"))
    return reply({.status = 404, .content_type = "text/plain", .body = "GET /metrics\n"});
  reply({.content_type = "text/plain; version=0.0.4; charset=utf-8",
         .body = prometheus_text(figures_of_processes())});
}

[[noreturn]] void serve_forever(long long port) {
  net::HttpServer server(answer, {.port = static_cast<int>(port), .threads = 2});
  std::printf("http://127.0.0.1:%d/metrics\n", server.port());
  std::fflush(stdout);
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

int top(std::span<const std::string> arguments) {
  Options given(arguments);
  const bool once = given.flag("--once"), prints = given.flag("--prometheus");
  const long long port = number_of(given, "--port", 0, 65535);
  const long long pid = number_of(given, "--pid", 0, 1LL << 40);
  const long long seconds = number_of(given, "--interval", 2, 3600);
  if (!given.positional().empty()) throw UsageError("top takes options only");
  if (prints) {
    std::fputs(prometheus_text(wanted_processes(pid)).c_str(), stdout);
    return 0;
  }
  if (port > 0) serve_forever(port);
  if (!once) show_forever(pid, seconds);
  show_once(pid);
  return 0;
}

}  // namespace

const Command kTop{"top", "what running programs do: steps, waiting for input, memory",
                   "top [--once] [--pid PID] [--interval SECONDS]\n"
                   "       rill top --prometheus | --port PORT\n\n"
                   "Shows the processes of this user that run Rill, anew every 2 seconds.\n\n"
                   "  --once        once, with figures since each process began\n"
                   "  --pid PID     of one process\n"
                   "  --prometheus  prints all figures as Prometheus reads them\n"
                   "  --port PORT   answers Prometheus at http://127.0.0.1:PORT/metrics",
                   top};

}  // namespace rill::cli
