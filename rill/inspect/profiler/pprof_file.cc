#include "rill/inspect/profiler/pprof_file.h"

#include "rill/base/error.h"
#include "rill/inspect/profiler/metric.h"
#include "rill/io/zlib_stream.h"
#include "tensorflow/core/profiler/profile.pb.h"

namespace rill::profiler {
namespace {

using tensorflow::tfprof::pprof::Profile;

class PprofFile {
 public:
  PprofFile(const Metric& metric, std::int64_t step) : metric_(metric), step_(step) {
    text("");
    add_type("count", "count");
    add_type(metric.select, metric.unit);
    profile_.add_comment(text(metric.select));
  }

  void add(const Row& row) {
    calls_.push_back(location(row.name));
    for (const ProfiledNode* node : row.nodes) add_sample(*node);
    for (const RowPtr& child : row.children) add(*child);
    calls_.pop_back();
  }

  std::string bytes() const { return profile_.SerializeAsString(); }

 private:
  void add_type(const char* type, const char* unit) {
    auto* sample = profile_.add_sample_type();
    sample->set_type(text(type));
    sample->set_unit(text(unit));
  }

  void add_sample(const ProfiledNode& node) {
    auto* sample = profile_.add_sample();
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) sample->add_location_id(*call);
    sample->add_value(1);
    sample->add_value(metric_.value(node.figures(step_)));
    auto* label = sample->add_label();
    label->set_key(text("graph node:"));
    label->set_str(text(node.name));
  }

  // Of "train.py:12:build": line 12 of function "train:build".
  std::uint64_t location(const std::string& name) {
    const auto [it, is_new] = locations_.try_emplace(name, locations_.size() + 1);
    if (!is_new) return it->second;
    const auto first = name.find(':'), second = name.find(':', first + 1);
    const std::string file = name.substr(0, first);
    long long line = 0;
    parse_int(std::string_view(name).substr(first + 1, second - first - 1), &line);
    auto* function = profile_.add_function();
    function->set_id(it->second);
    function->set_name(text(file.substr(0, file.rfind('.')) + ":" + name.substr(second + 1)));
    function->set_filename(text(file));
    auto* location = profile_.add_location();
    location->set_id(it->second);
    location->set_address(it->second);
    auto* where = location->add_line();
    where->set_function_id(it->second);
    where->set_line(line);
    return it->second;
  }

  std::int64_t text(const std::string& text) {
    const auto [it, is_new] = texts_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) profile_.add_string_table(text);
    return it->second;
  }

  const Metric& metric_;
  const std::int64_t step_;
  Profile profile_;
  std::vector<std::uint64_t> calls_;
  std::map<std::string, std::uint64_t> locations_;
  std::map<std::string, std::int64_t> texts_;
};

}  // namespace

void write_pprof(ViewKind kind, const Row& root, const ProfileOptions& options) {
  require(kind == ViewKind::code, "Only the code view can be written for pprof");
  PprofFile samples(only_metric(options, "pprof file"), options.step);
  for (const RowPtr& row : root.children) samples.add(*row);
  const std::string& path = options.output_options.at("outfile");
  const auto file =
      packed(file_system_of(path).create(path, WriteMode::truncate), Compression::gzip);
  file->append(samples.bytes());
  file->close();
}

}  // namespace rill::profiler
