#include "rill/inspect/model_speed.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/inspect/figures.h"

namespace rill::inspect {
namespace {

constexpr int kMinRuns = 10, kWarmRuns = 3;

double seconds_since(std::int64_t begin) {
  return static_cast<double>(monotonic_nanos() - begin) * 1e-9;
}

// A line of the process's status, in bytes; 0 where the system does not say.
std::int64_t status_bytes(std::string_view name) {
  if (!file_exists("/proc/self/status")) return 0;
  const std::string status = read_file("/proc/self/status");
  const std::size_t at = status.find(str_cat("\n", name, ":"));
  if (at == status.npos) return 0;
  const std::size_t digits = status.find_first_of("0123456789", at);
  return digits == status.npos ? 0 : std::stoll(status.substr(digits)) * 1024;
}

Latency measure_latency(const Callable& step, std::span<const Tensor> feeds, double seconds) {
  for (int i = 0; i < kWarmRuns; ++i) step(feeds);
  std::vector<double> times;
  const std::int64_t begin = monotonic_nanos();
  while (times.size() < kMinRuns || seconds_since(begin) < seconds) {
    const std::int64_t start = monotonic_nanos();
    step(feeds);
    times.push_back(seconds_since(start));
  }
  return latency_of(std::move(times));
}

// As many runs as `threads` threads finish together. The first error of any of them is thrown.
Throughput measure_throughput(const Callable& step, std::span<const Tensor> feeds, int threads,
                              double seconds) {
  std::atomic<std::int64_t> runs{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  std::vector<std::thread> askers;
  const std::int64_t begin = monotonic_nanos();
  for (std::exception_ptr& error : errors)
    askers.emplace_back([&] {
      try {
        do {
          step(feeds);
          ++runs;
        } while (seconds_since(begin) < seconds);
      } catch (...) {
        error = std::current_exception();
      }
    });
  for (std::thread& asker : askers) asker.join();
  const double taken = seconds_since(begin);
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return {.threads = threads, .runs_per_second = static_cast<double>(runs) / taken};
}

std::vector<int> thread_counts(int most) {
  if (most <= 0) most = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<int> counts;
  for (int count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

std::int64_t batch_of(std::span<const Tensor> feeds) {
  return !feeds.empty() && feeds[0].rank() > 0 ? feeds[0].dim(0) : 1;
}

}  // namespace

Latency latency_of(std::vector<double> seconds) {
  require(!seconds.empty(), "no times were measured");
  std::ranges::sort(seconds);
  const auto at = [&](double part) {
    return seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1) + 0.5)];
  };
  double sum = 0;
  for (const double one : seconds) sum += one;
  return {.runs = static_cast<int>(seconds.size()),
          .best = seconds.front(),
          .p50 = at(0.5),
          .p90 = at(0.9),
          .p99 = at(0.99),
          .mean = sum / static_cast<double>(seconds.size())};
}

std::int64_t resident_memory() { return status_bytes("VmRSS"); }
std::int64_t peak_memory() { return status_bytes("VmHWM"); }

ModelSpeed measure_speed(const BenchedModel& model, std::span<const Tensor> feeds,
                         const SpeedWishes& wishes) {
  ModelSpeed speed{.batch = batch_of(feeds)};
  speed.memory.loaded = resident_memory();
  const std::int64_t begin = monotonic_nanos();
  const Callable step = model.session->make_callable(model.feeds(), model.fetches());
  step(feeds);
  speed.first_seconds = seconds_since(begin);
  speed.latency = measure_latency(step, feeds, wishes.seconds);
  for (const int threads : thread_counts(wishes.max_threads))
    speed.throughput.push_back(measure_throughput(step, feeds, threads, wishes.seconds));
  speed.memory.after = resident_memory();
  speed.memory.peak = peak_memory();
  return speed;
}

std::string to_text(const ModelSpeed& speed) {
  const Latency& l = speed.latency;
  std::string text =
      str_cat("first answer   ", time_text(speed.first_seconds), " (the step is compiled for it)\n",
              "latency        p50 ", time_text(l.p50), ", p90 ", time_text(l.p90), ", p99 ",
              time_text(l.p99), ", best ", time_text(l.best), ", mean ", time_text(l.mean),
              " over ", l.runs, " runs of batch ", speed.batch, "\n");
  for (const Throughput& t : speed.throughput)
    text +=
        str_cat("throughput     ", fixed(t.runs_per_second, 1), " runs/s, ",
                fixed(t.runs_per_second * static_cast<double>(speed.batch), 1), " examples/s with ",
                t.threads, t.threads == 1 ? " thread" : " threads", " asking\n");
  const auto mebibytes = [](std::int64_t bytes) {
    return str_cat(fixed(static_cast<double>(bytes) / (1 << 20), 1), " MiB");
  };
  text += str_cat("memory         ", mebibytes(speed.memory.loaded), " with the model loaded, ",
                  mebibytes(speed.memory.after), " at the end, ", mebibytes(speed.memory.peak),
                  " at most\n");
  return text;
}

std::string to_json(const ModelSpeed& speed) {
  const Latency& l = speed.latency;
  std::vector<std::string> rates;
  for (const Throughput& t : speed.throughput)
    rates.push_back(str_cat(
        "{\"threads\": ", t.threads, ", \"runs_per_second\": ", digits(t.runs_per_second),
        ", \"examples_per_second\": ", digits(t.runs_per_second * static_cast<double>(speed.batch)),
        "}"));
  return str_cat("{\"batch\": ", speed.batch, ", \"first_seconds\": ", digits(speed.first_seconds),
                 ", \"latency_seconds\": {\"runs\": ", l.runs, ", \"best\": ", digits(l.best),
                 ", \"p50\": ", digits(l.p50), ", \"p90\": ", digits(l.p90),
                 ", \"p99\": ", digits(l.p99), ", \"mean\": ", digits(l.mean),
                 "}, \"throughput\": [", join(rates, ", "),
                 "], \"memory_bytes\": {\"loaded\": ", speed.memory.loaded,
                 ", \"after\": ", speed.memory.after, ", \"peak\": ", speed.memory.peak, "}}");
}

}  // namespace rill::inspect
