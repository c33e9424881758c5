#include "rill/inspect/process_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rill/base/text.h"
#include "rill/inspect/figures.h"

namespace rill::inspect {
namespace {

constexpr double kStarved = .05;  // share of waiting for input that is worth a line

std::string cell(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string percent_text(double share) {
  char text[24];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

std::string megabytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, seconds));
  char text[40];
  std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

// What so many of all steps took less than; between the bounds of a bucket as if they were spread
// evenly.
double quantile(const std::vector<std::int64_t>& buckets, double part) {
  std::int64_t all = 0, below = 0;
  for (const std::int64_t count : buckets) all += count;
  if (all == 0) return 0;
  const double wanted = part * static_cast<double>(all);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto count = static_cast<double>(buckets[i]);
    if (count > 0 && static_cast<double>(below) + count >= wanted) {
      const double high = std::exp2(static_cast<double>(i)), low = i == 0 ? 0 : high / 2;
      return 1e-6 * (low + (high - low) * (wanted - static_cast<double>(below)) / count);
    }
    below += buckets[i];
  }
  return 0;
}

// The figures of the time between: those of `now` less those of `before`.
ShownFigures difference(const ShownFigures& before, ShownFigures now) {
  const auto take = [](const ShownFigures::Time& from, ShownFigures::Time* time) {
    time->count -= from.count;
    time->seconds -= from.seconds;
  };
  take(before.steps, &now.steps);
  take(before.input_waits, &now.input_waits);
  take(before.queue_waits, &now.queue_waits);
  now.cpu_seconds -= before.cpu_seconds;
  for (std::size_t i = 0; i < now.step_buckets.size() && i < before.step_buckets.size(); ++i)
    now.step_buckets[i] -= before.step_buckets[i];
  for (std::size_t i = 0; i < now.stages.size() && i < before.stages.size(); ++i)
    take(before.stages[i].work, &now.stages[i].work);
  return now;
}

Activity activity_of(const ShownFigures& figures, double seconds) {
  Activity found{.pid = figures.pid, .command = figures.command, .seconds = seconds};
  const double time = std::max(seconds, 1e-9);
  found.steps = figures.steps.count;
  found.step_seconds =
      figures.steps.seconds / static_cast<double>(std::max<std::int64_t>(1, figures.steps.count));
  found.median_seconds = quantile(figures.step_buckets, .5);
  found.slow_seconds = quantile(figures.step_buckets, .99);
  found.input_share = std::clamp(figures.input_waits.seconds / time, 0.0, 1.0);
  found.queue_share = std::clamp(figures.queue_waits.seconds / time, 0.0, 1.0);
  found.cpu_share = std::max(0.0, figures.cpu_seconds / time);
  const auto slowest = std::ranges::max_element(
      figures.stages, {}, [](const auto& stage) { return stage.least_seconds(); });
  if (slowest != figures.stages.end() && slowest->work.seconds > 0)
    found.slowest_stage = slowest->name;
  found.live_bytes = figures.live_bytes;
  found.peak_bytes = figures.peak_bytes;
  found.resident_bytes = figures.resident_bytes;
  found.threads = figures.threads;
  return found;
}

std::string quoted_label(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || c == '"') safe += '\\';
    if (c == '\n') {
      safe += "\\n";
    } else {
      safe += c;
    }
  }
  return "\"" + safe + "\"";
}

// One metric of all processes.
class Family {
 public:
  Family(std::string* page, const std::string& name, const char* type, const char* help)
      : page_(*page), name_("rill_" + name) {
    page_ += str_cat("# HELP ", name_, " ", help, "\n# TYPE ", name_, " ", type, "\n");
  }
  void add(const ShownFigures& process, double value, const std::string& labels = "",
           const char* suffix = "") {
    char number[40];
    std::snprintf(number, sizeof number, "%.10g", value);
    page_ += str_cat(name_, suffix, "{pid=\"", process.pid, "\"", labels, "} ", number, "\n");
  }

 private:
  std::string& page_;
  const std::string name_;
};

}  // namespace

Activity activity(const ShownFigures& now, std::int64_t now_micros) {
  const double seconds = 1e-6 * static_cast<double>(now_micros - now.start_micros);
  Activity found = activity_of(now, seconds);
  found.up_seconds = seconds;
  found.all_steps = now.steps.count;
  found.failed_steps = now.failed_steps;
  return found;
}

Activity activity(const ShownFigures& before, const ShownFigures& now, double seconds) {
  Activity found = activity_of(difference(before, now), seconds);
  found.all_steps = now.steps.count;
  found.failed_steps = now.failed_steps;
  return found;
}

std::string to_text(std::span<const Activity> processes) {
  if (processes.empty()) return "No process of yours runs Rill now.\n";
  std::string text =
      "    PID      UP     STEPS  FAILED   STEP/S     MEAN   MEDIAN      99%  INPUT   CPU  "
      "THREADS  TENSORS     PEAK      RSS  COMMAND\n";
  for (const Activity& one : processes) {
    const double rate = one.seconds > 0 ? static_cast<double>(one.steps) / one.seconds : 0;
    text += str_cat(cell(str_cat(one.pid), 7), cell(clock_text(one.up_seconds), 8),
                    cell(str_cat(one.all_steps), 10), cell(str_cat(one.failed_steps), 8),
                    cell(fixed(rate, 1), 9), cell(time_text(one.step_seconds), 9),
                    cell(time_text(one.median_seconds), 9), cell(time_text(one.slow_seconds), 9),
                    cell(percent_text(one.input_share), 7), cell(percent_text(one.cpu_share), 6),
                    cell(str_cat(one.threads), 9), cell(megabytes(one.live_bytes), 9),
                    cell(megabytes(one.peak_bytes), 9), cell(megabytes(one.resident_bytes), 9),
                    "  ", one.command, "\n");
    if (one.input_share >= kStarved)
      text += str_cat(
          "        steps wait ", percent_text(one.input_share),
          " of the time for the input pipeline",
          one.slowest_stage.empty() ? "" : "; its slowest stage is " + one.slowest_stage, "\n");
  }
  return text;
}

std::string prometheus_text(std::span<const ShownFigures> processes) {
  std::string page;
  const auto all = [&](const char* name, const char* type, const char* help, const auto& value) {
    Family family(&page, name, type, help);
    for (const ShownFigures& one : processes) family.add(one, static_cast<double>(value(one)));
  };
  {
    Family info(&page, "process_info", "gauge", "1 for each process that runs Rill.");
    for (const ShownFigures& one : processes)
      info.add(one, 1, ",command=" + quoted_label(one.command));
  }
  {
    Family steps(&page, "step_seconds", "histogram", "How long steps took that went well.");
    for (const ShownFigures& one : processes) {
      double below = 0;
      for (std::size_t i = 0; i + 1 < one.step_buckets.size(); ++i) {
        below += static_cast<double>(one.step_buckets[i]);
        char bound[40];
        std::snprintf(bound, sizeof bound, ",le=\"%.10g\"",
                      std::exp2(static_cast<double>(i)) * 1e-6);
        steps.add(one, below, bound, "_bucket");
      }
      if (!one.step_buckets.empty()) below += static_cast<double>(one.step_buckets.back());
      steps.add(one, below, ",le=\"+Inf\"", "_bucket");
      steps.add(one, one.steps.seconds, "", "_sum");
      steps.add(one, below, "", "_count");
    }
  }
  all("failed_steps_total", "counter", "Steps that ended with an error.",
      [](const auto& one) { return one.failed_steps; });
  all("input_wait_seconds_total", "counter", "Time that steps waited for their input.",
      [](const auto& one) { return one.input_waits.seconds; });
  all("queue_wait_seconds_total", "counter", "Time that something waited at queues otherwise.",
      [](const auto& one) { return one.queue_waits.seconds; });
  all("tensor_bytes", "gauge", "Memory of tensors on the CPU.",
      [](const auto& one) { return one.live_bytes; });
  all("tensor_peak_bytes", "gauge", "The most memory that tensors on the CPU took.",
      [](const auto& one) { return one.peak_bytes; });
  all("process_cpu_seconds_total", "counter", "Processor time of the process.",
      [](const auto& one) { return one.cpu_seconds; });
  all("process_resident_bytes", "gauge", "Memory of the process.",
      [](const auto& one) { return one.resident_bytes; });
  Family stages(&page, "input_stage_seconds_total", "counter",
                "Time that a stage of the input pipeline was at work itself, by samples.");
  for (const ShownFigures& one : processes)
    for (const ShownFigures::Stage& stage : one.stages)
      stages.add(one, stage.work.seconds,
                 str_cat(",stage=", quoted_label(stage.name), ",threads=\"", stage.width, "\""));
  return page;
}

}  // namespace rill::inspect
