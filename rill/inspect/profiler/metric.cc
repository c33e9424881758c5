#include "rill/inspect/profiler/metric.h"

#include "rill/base/error.h"

namespace rill::profiler {
namespace {

template <std::int64_t Figures::*kField>
std::int64_t metric_of(const Figures& figures) {
  return figures.*kField;
}
constexpr Metric kMetrics[] = {
    {"micros", "microseconds", [](const Figures& figures) { return figures.micros(); }},
    {"accelerator_micros", "microseconds", metric_of<&Figures::accelerator_micros>},
    {"cpu_micros", "microseconds", metric_of<&Figures::cpu_micros>},
    {"bytes", "bytes", metric_of<&Figures::requested>},
    {"peak_bytes", "bytes", metric_of<&Figures::peak>},
    {"residual_bytes", "bytes", metric_of<&Figures::residual>},
    {"output_bytes", "bytes", metric_of<&Figures::output>},
    {"params", "count", metric_of<&Figures::params>},
    {"float_ops", "count", metric_of<&Figures::float_ops>}};

}  // namespace

const Metric& only_metric(const ProfileOptions& options, const char* file) {
  require(options.select.size() == 1, "A ", file, " shows one figure; select one, not ",
          options.select.size());
  for (const Metric& metric : kMetrics)
    if (options.selects(metric.select)) return metric;
  raise(Code::kInvalidArgument, "A ", file, " cannot show '", *options.select.begin(), "'");
}

}  // namespace rill::profiler
