#include "rill/inspect/profiler/pprof_file.h"

#include "rill/base/error.h"
#include "rill/inspect/profiler/metric.h"
#include "rill/inspect/profiler/pprof_writer.h"

namespace rill::profiler {
namespace {

class PprofFile {
 public:
  PprofFile(const Metric& metric, std::int64_t step) : metric_(metric), step_(step) {
    writer_.add_type("count", "count");
    writer_.add_type(metric.select, metric.unit);
    writer_.add_comment(metric.select);
  }

  void add(const Row& row) {
    calls_.push_back(location(row.name));
    for (const ProfiledNode* node : row.nodes) add_sample(*node);
    for (const RowPtr& child : row.children) add(*child);
    calls_.pop_back();
  }

  const PprofWriter& writer() const { return writer_; }

 private:
  void add_sample(const ProfiledNode& node) {
    auto& sample = writer_.add_sample();
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) sample.add_location_id(*call);
    sample.add_value(1);
    sample.add_value(metric_.value(node.figures(step_)));
    writer_.add_label(sample, "graph node:", node.name);
  }

  // Of "train.py:12:build": line 12 of function "train:build".
  std::uint64_t location(const std::string& name) {
    const auto first = name.find(':'), second = name.find(':', first + 1);
    const std::string file = name.substr(0, first);
    long long line = 0;
    parse_int(std::string_view(name).substr(first + 1, second - first - 1), &line);
    return writer_.location(file, line,
                            file.substr(0, file.rfind('.')) + ":" + name.substr(second + 1));
  }

  const Metric& metric_;
  const std::int64_t step_;
  PprofWriter writer_;
  std::vector<std::uint64_t> calls_;
};

}  // namespace

void write_pprof(ViewKind kind, const Row& root, const ProfileOptions& options) {
  require(kind == ViewKind::code, "Only the code view can be written for pprof");
  PprofFile samples(only_metric(options, "pprof file"), options.step);
  for (const RowPtr& row : root.children) samples.add(*row);
  samples.writer().write(options.output_options.at("outfile"));
}

}  // namespace rill::profiler
