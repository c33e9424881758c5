// How Prometheus is told.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "rill/base/text.h"
#include "rill/serve/metrics/metrics.h"

namespace rill::serve {
namespace {

constexpr const char* kApiNames[] = {"Predict", "Classify", "Regress", "MultiInference",
                                     "SessionRun"};
constexpr const char* kEntryNames[] = {"GRPC", "REST"};
const std::string kPrefix = ":tensorflow:serving:";

std::string state_name(State state) {
  switch (state) {
    case State::kStart:
      return "START";
    case State::kLoading:
      return "LOADING";
    case State::kAvailable:
      return "AVAILABLE";
    case State::kUnloading:
      return "UNLOADING";
    case State::kEnd:
      return "END";
    case State::kUnknown:
      break;
  }
  return "UNKNOWN";
}

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

std::string in_braces(const MetricLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += str_cat(text.empty() ? "{" : ",", name, "=\"");
    for (const char c : value) {
      if (c == '\n') {
        text += "\\n";
        continue;
      }
      if (c == '\\' || c == '"') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text.empty() ? text : text + "}";
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string seconds_text(std::int64_t micros) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(micros) / 1e6);
  return text;
}

struct MetricHelp {
  std::string_view name;  // its end
  const char* text;
};
constexpr MetricHelp kHelp[] = {
    {":request_count", "Requests, by model and how they ended."},
    {":request_latency", "Microseconds from the last byte of a request until its answer."},
    {":runtime_latency", "Microseconds that steps took, with waiting for their turn."},
    {":request_example_counts", "Examples of requests for classification and regression."},
    {":request_example_count_total", "Examples of all requests for classification and regression."},
    {":request_log_count", "Requests that were logged, or lost."},
    {":requests_queued", "Requests that wait for their turn."},
    {":requests_refused_count", "Requests refused since there was more to do than can be done."},
    {":steps_cancelled_count", "Steps that were ended since nobody waited for them."},
    {":queuing_latency", "Microseconds that requests waited for their batch."},
    {":processed_batch_size", "Rows of batches."},
    {":padding_size", "Rows that fill batches up."},
    {":wrapped_run_count", "Steps that were run for batches."},
    {":request_count_by_signature", "Requests, by version and signature."},
    {":request_latency_by_signature", "Microseconds of requests, by version and signature."},
    {":requests_in_flight", "Requests that are being answered."},
    {":connections_ended_count", "Connections that the server ended, by reason."},
    {":model_version_state", "1 for the state that a version is in."},
    {":model_load_count", "Attempts to load versions, by how they ended."},
    {":model_unload_count", "Versions that were unloaded."},
    {"process_cpu_seconds_total", "Processor time of the process."},
    {"process_resident_memory_bytes", "Memory of the process."},
    {":log_lines_lost_count", "Lines of the access log that could not be written in time."},
    {":trace_spans_count", "Spans of traces, by what became of them."},
    {":response_cache_count", "Requests whose answer was looked for in the cache."},
    {":shadow_count", "Requests that were asked of another model too, by how that ended."},
    {"process_virtual_memory_bytes", "Addresses that the process has."},
    {"process_start_time_seconds", "When the process began, since the Unix epoch."},
    {"process_max_fds", "Files that the process may have open."},
    {"process_threads", "Threads of the process."},
    {"process_open_fds", "Files that the process has open."}};

const char* help_of(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kHelp, [&](const MetricHelp& help) { return name.ends_with(help.name); });
  return found == std::end(kHelp) ? "" : found->text;
}

// Where families of metrics are written, and in which of two forms.
struct MetricsPage {
  std::string text;
  bool is_open = false;  // OpenMetrics
};

// One metric, with all its labels one after the other.
class Family {
 public:
  Family(MetricsPage* page, std::string name, std::string_view type)
      : text_(page->text), name_(std::move(name)), is_open_(page->is_open) {
    constexpr std::string_view kTotal = "_total";
    std::string family = name_;
    // OpenMetrics has counters end so. Those with TensorFlow Serving's names, which do not, are of
    // no known kind there.
    if (is_open_ && type == "counter") {
      if (family.ends_with(kTotal))
        family.resize(family.size() - kTotal.size());
      else
        type = "unknown";
    }
    const std::string kind = str_cat("# TYPE ", family, " ", type, "\n");
    const std::string help = str_cat("# HELP ", family, " ", help_of(name_), "\n");
    text_ += is_open_ ? kind + help : help + kind;
  }
  void add(const MetricLabels& labels, double value) {
    text_ += str_cat(name_, in_braces(labels), " ", number_text(value), "\n");
  }
  // Nothing for a histogram of nothing.
  void add(MetricLabels labels, const Histogram& histogram, const Exemplar* exemplar = nullptr) {
    std::int64_t below = 0;
    Exemplar::Value shown;
    if (is_open_ && exemplar != nullptr) shown = exemplar->value();
    std::string lines;
    const std::string plain = in_braces(labels);
    const auto bounds = histogram.bounds();
    for (std::size_t i = 0; i <= bounds.size(); ++i) {
      below += histogram.count(i);
      labels.emplace_back("le", i == bounds.size() ? "+Inf" : number_text(bounds[i]));
      lines += str_cat(name_, "_bucket", in_braces(labels), " ", below);
      const bool is_here = !shown.trace_id.empty() &&
                           (i == bounds.size() || static_cast<double>(shown.value) <= bounds[i]);
      if (is_here) {
        lines += str_cat(" # {trace_id=\"", shown.trace_id, "\"} ", shown.value, " ",
                         seconds_text(shown.wall_micros));
        shown.trace_id.clear();
      }
      lines += '\n';
      labels.pop_back();
    }
    if (below == 0) return;
    text_ += str_cat(lines, name_, "_sum", plain, " ", histogram.sum(), "\n", name_, "_count",
                     plain, " ", below, "\n");
  }

 private:
  std::string& text_;
  const std::string name_;
  const bool is_open_;
};

// Calls with api, entry and metrics.
void for_each(const RequestTable& table, const auto& call) {
  for (std::size_t api = 0; api < kApis; ++api)
    for (std::size_t entry = 0; entry < kEntryPoints; ++entry)
      call(kApiNames[api], kEntryNames[entry], table[api][entry]);
}

void add_requests(const std::vector<const ModelMetrics*>& models, MetricsPage* page) {
  Family count(page, kPrefix + "request_count", "counter");
  for (const ModelMetrics* model : models)
    for (std::size_t code = 0; code < kCodes; ++code) {
      std::int64_t all = 0;
      for_each(model->requests,
               [&](auto, auto, const RequestMetrics& one) { all += one.ended[code].value(); });
      if (all > 0)
        count.add(
            {{"model_name", model->name}, {"status", upper_code_name(static_cast<Code>(code))}},
            static_cast<double>(all));
    }
  Family latency(page, kPrefix + "request_latency", "histogram");
  for (const ModelMetrics* model : models)
    for_each(model->requests, [&](const char* api, const char* entry, const auto& one) {
      latency.add({{"model_name", model->name}, {"API", api}, {"entrypoint", entry}}, one.micros,
                  &one.exemplar);
    });
  Family runtime(page, kPrefix + "runtime_latency", "histogram");
  for (const ModelMetrics* model : models)
    for (std::size_t api = 0; api < kApis; ++api)
      runtime.add({{"model_name", model->name}, {"API", kApiNames[api]}, {"runtime", "TF1"}},
                  model->runtime_micros[api]);
  Family examples(page, kPrefix + "request_example_counts", "histogram");
  for (const ModelMetrics* model : models)
    examples.add({{"model_name", model->name}}, model->examples);
  Family total(page, kPrefix + "request_example_count_total", "counter");
  for (const ModelMetrics* model : models)
    if (model->examples.sum() > 0)
      total.add({{"model_name", model->name}}, static_cast<double>(model->examples.sum()));
  Family logged(page, kPrefix + "request_log_count", "counter");
  for (const ModelMetrics* model : models)
    for (const auto& [status, counter] :
         {std::pair{"OK", &model->logged}, std::pair{"RESOURCE_EXHAUSTED", &model->logs_lost}})
      if (counter->value() > 0)
        logged.add({{"model_name", model->name}, {"status", status}},
                   static_cast<double>(counter->value()));
}

void add_admission(const std::vector<const ModelMetrics*>& models, MetricsPage* page) {
  const auto add = [&](const char* name, const char* type, Counter ModelMetrics::*member) {
    Family family(page, kPrefix + name, type);
    for (const ModelMetrics* model : models)
      if ((model->*member).value() > 0)
        family.add({{"model_name", model->name}}, static_cast<double>((model->*member).value()));
  };
  add("requests_queued", "gauge", &ModelMetrics::queued);
  add("requests_refused_count", "counter", &ModelMetrics::refused);
  add("steps_cancelled_count", "counter", &ModelMetrics::cancelled);
  const auto add_kinds = [&](const char* name, const auto& kinds) {
    Family family(page, kPrefix + name, "counter");
    for (const ModelMetrics* model : models)
      for (const auto& [kind, member] : kinds)
        if ((model->*member).value() > 0)
          family.add({{"model_name", model->name}, {"status", kind}},
                     static_cast<double>((model->*member).value()));
  };
  using Kind = std::pair<const char*, Counter ModelMetrics::*>;
  add_kinds("response_cache_count", std::array{Kind{"hit", &ModelMetrics::cache_hits},
                                               Kind{"miss", &ModelMetrics::cache_misses}});
  add_kinds("shadow_count", std::array{Kind{"OK", &ModelMetrics::shadows_good},
                                       Kind{"failed", &ModelMetrics::shadows_bad},
                                       Kind{"lost", &ModelMetrics::shadows_lost}});
}

void add_batching(const std::vector<const ModelMetrics*>& models, MetricsPage* page) {
  const std::string prefix = kPrefix + "batching_session:";
  const auto add = [&](const char* name, Histogram BatchMetrics::*member) {
    Family family(page, prefix + name, "histogram");
    for (const ModelMetrics* model : models)
      family.add({{"model_name", model->name}}, model->batching.*member);
  };
  add("queuing_latency", &BatchMetrics::queuing_micros);
  add("processed_batch_size", &BatchMetrics::rows);
  add("padding_size", &BatchMetrics::padding);
  Family runs(page, prefix + "wrapped_run_count", "counter");
  for (const ModelMetrics* model : models)
    if (model->batching.batches.value() > 0)
      runs.add({{"model_name", model->name}}, static_cast<double>(model->batching.batches.value()));
}

void add_signatures(const std::vector<std::shared_ptr<VersionMetrics>>& versions,
                    MetricsPage* page) {
  const auto for_all = [&](const auto& call) {
    for (const auto& version : versions)
      for (const auto& [signature, table] : version->signatures)
        for_each(table, [&](const char* api, const char* entry, const RequestMetrics& one) {
          call(MetricLabels{{"model_name", version->id.name},
                            {"model_version", std::to_string(version->id.version)},
                            {"signature_name", signature},
                            {"API", api},
                            {"entrypoint", entry}},
               one);
        });
  };
  Family count(page, kPrefix + "request_count_by_signature", "counter");
  for_all([&](MetricLabels labels, const RequestMetrics& one) {
    for (std::size_t code = 0; code < kCodes; ++code) {
      if (one.ended[code].value() == 0) continue;
      labels.emplace_back("status", upper_code_name(static_cast<Code>(code)));
      count.add(labels, static_cast<double>(one.ended[code].value()));
      labels.pop_back();
    }
  });
  Family latency(page, kPrefix + "request_latency_by_signature", "histogram");
  for_all([&](MetricLabels labels, const RequestMetrics& one) {
    latency.add(std::move(labels), one.micros, &one.exemplar);
  });
}

struct ProcessMemory {
  std::int64_t all = 0, resident = 0;  // bytes
};
ProcessMemory process_memory() {
  std::ifstream file("/proc/self/statm");
  ProcessMemory pages;
  file >> pages.all >> pages.resident;
  const std::int64_t size = ::sysconf(_SC_PAGESIZE);
  return {pages.all * size, pages.resident * size};
}

// Fields behind the name, from the third on, as proc(5) counts them.
std::vector<std::int64_t> process_fields() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  std::vector<std::int64_t> fields(2);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return fields;
  for (const std::string_view field : split(std::string_view(text).substr(name_end + 2), ' ')) {
    long long value = 0;
    parse_int(field, &value);
    fields.push_back(value);
  }
  return fields;
}

// Since the Unix epoch; 0 when the system does not tell.
double start_seconds(const std::vector<std::int64_t>& fields) {
  constexpr std::size_t kStartTicks = 21;
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    std::int64_t boot = 0;
    if (word != "btime" || !(file >> boot) || fields.size() <= kStartTicks) continue;
    return static_cast<double>(boot) +
           static_cast<double>(fields[kStartTicks]) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  return 0;
}

std::int64_t open_files() {
  std::error_code error;
  std::int64_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    (void)file;
    ++count;
  }
  return count;
}

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void add_process(MetricsPage* page) {
  const auto add = [&](const char* name, double value) {
    Family(page, name, std::string_view(name).ends_with("_total") ? "counter" : "gauge")
        .add({}, value);
  };
  const ProcessMemory memory = process_memory();
  const std::vector<std::int64_t> fields = process_fields();
  constexpr std::size_t kThreads = 19;
  add("process_cpu_seconds_total", cpu_seconds());
  add("process_resident_memory_bytes", static_cast<double>(memory.resident));
  add("process_virtual_memory_bytes", static_cast<double>(memory.all));
  add("process_start_time_seconds", start_seconds(fields));
  if (fields.size() > kThreads) add("process_threads", static_cast<double>(fields[kThreads]));
  add("process_open_fds", static_cast<double>(open_files()));
  add("process_max_fds", static_cast<double>(::sysconf(_SC_OPEN_MAX)));
}

}  // namespace

std::string upper_code_name(Code code) {
  if (code == Code::kOk) return "OK";
  std::string name;
  for (const char c : code_name(code)) {
    if (c >= 'A' && c <= 'Z' && !name.empty()) name += '_';
    name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

// What there was at one moment; the numbers go on.
struct Metrics::Snapshot {
  std::vector<const ModelMetrics*> models;
  std::vector<std::shared_ptr<VersionMetrics>> versions;
  std::map<ServableId, State> states;
  std::map<std::string, Loads> loads;
  std::map<std::pair<Entry, std::string>, std::int64_t> connection_ends;
};

Metrics::Snapshot Metrics::snapshot() const {
  const std::lock_guard lock(mutex_);
  Snapshot all{.states = states_, .loads = loads_, .connection_ends = connection_ends_};
  for (const auto& [name, model] : models_) all.models.push_back(model.get());
  all.models.push_back(&unknown_);
  all.models.push_back(&other_);
  // One that came back may be there twice for a moment; the later counts.
  std::map<ServableId, std::shared_ptr<VersionMetrics>> by_id;
  for (const auto& version : versions_)
    if (auto held = version.lock()) by_id[held->id] = held;
  for (auto& [id, version] : by_id) all.versions.push_back(std::move(version));
  return all;
}

std::string Metrics::prometheus(bool open_metrics) const {
  const Snapshot all = snapshot();
  MetricsPage page{.is_open = open_metrics};
  add_requests(all.models, &page);
  add_admission(all.models, &page);
  add_batching(all.models, &page);
  add_signatures(all.versions, &page);
  Family flight(&page, kPrefix + "requests_in_flight", "gauge");
  for (std::size_t entry = 0; entry < kEntryPoints; ++entry)
    flight.add({{"entrypoint", kEntryNames[entry]}},
               static_cast<double>(in_flight_[entry].value()));
  Family ends(&page, kPrefix + "connections_ended_count", "counter");
  for (const auto& [key, count] : all.connection_ends)
    ends.add(
        {{"entrypoint", kEntryNames[static_cast<std::size_t>(key.first)]}, {"reason", key.second}},
        static_cast<double>(count));
  Family states(&page, kPrefix + "model_version_state", "gauge");
  for (const auto& [id, state] : all.states)
    states.add({{"model_name", id.name},
                {"model_version", std::to_string(id.version)},
                {"state", state_name(state)}},
               1);
  Family loads(&page, kPrefix + "model_load_count", "counter");
  for (const auto& [name, one] : all.loads) {
    loads.add({{"model_name", name}, {"status", "success"}}, static_cast<double>(one.good));
    loads.add({{"model_name", name}, {"status", "fail"}}, static_cast<double>(one.bad));
  }
  Family unloads(&page, kPrefix + "model_unload_count", "counter");
  for (const auto& [name, one] : all.loads)
    unloads.add({{"model_name", name}}, static_cast<double>(one.unloads));
  Family(&page, kPrefix + "log_lines_lost_count", "counter")
      .add({}, static_cast<double>(log_lines_lost.value()));
  Family spans(&page, kPrefix + "trace_spans_count", "counter");
  spans.add({{"status", "sent"}}, static_cast<double>(spans_sent.value()));
  spans.add({{"status", "lost"}}, static_cast<double>(spans_lost.value()));
  add_process(&page);
  if (open_metrics) page.text += "# EOF\n";
  return page.text;
}

}  // namespace rill::serve
