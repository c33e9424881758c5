#include "rill/inspect/profiler/profile_timeline.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/base/text.h"

namespace rill::profiler {
namespace {

// The events of a page of Chrome's trace viewer.
class Page {
 public:
  int process(const std::string& name) {
    const auto [it, is_new] = processes_.try_emplace(name, static_cast<int>(processes_.size()));
    if (is_new) name_process(it->second, name);
    return it->second;
  }

  void name_process(int pid, const std::string& name) {
    add(R"({"name": "process_name", "ph": "M", "pid": )", pid, R"(, "args": {"name": )",
        json_quoted(name), "}}");
  }

  void region(const std::string& name, int pid, int tid, std::int64_t start,
              std::int64_t duration) {
    add(R"({"ph": "X", "cat": "Op", "name": )", json_quoted(name), R"(, "pid": )", pid,
        R"(, "tid": )", tid, R"(, "ts": )", start, R"(, "dur": )", duration,
        R"(, "args": {"name": )", json_quoted(name), "}}");
  }

  // `phase` is "s" where it begins and "t" where it ends.
  void flow(const char* phase, const std::string& name, int id, int pid, int tid, std::int64_t at) {
    add(R"({"ph": ")", phase, R"(", "cat": "DataFlow", "name": )", json_quoted(name),
        R"(, "pid": )", pid, R"(, "tid": )", tid, R"(, "ts": )", at, R"(, "id": )", id, "}");
  }

  void counter(const std::string& name, const std::string& value_name, int pid, std::int64_t at,
               std::int64_t value) {
    add(R"({"ph": "C", "cat": "Memory", "name": )", json_quoted(name), R"(, "pid": )", pid,
        R"(, "ts": )", at, R"(, "args": {)", json_quoted(value_name), ": ", value, "}}");
  }

  std::string text() const {
    return str_cat("{\"traceEvents\": [\n", join(events_, ",\n"), "\n]}\n");
  }

 private:
  template <class... Part>
  void add(const Part&... part) {
    events_.push_back(str_cat(part...));
  }

  std::vector<std::string> events_;
  std::map<std::string, int> processes_;
};

// Lanes of a device: each takes the next execution once its last one has ended.
class Lanes {
 public:
  int take(std::int64_t start, std::int64_t end) {
    for (std::size_t i = 0; i < ends_.size(); ++i)
      if (ends_[i] <= start) return ends_[i] = end, static_cast<int>(i);
    ends_.push_back(end);
    return static_cast<int>(ends_.size()) - 1;
  }

 private:
  std::vector<std::int64_t> ends_;
};

struct Run {
  const ProfiledNode* node;
  std::string device;  // as the page calls the process
  std::int64_t start, duration;
  int pid = 0, tid = 0;
};

void collect(const Row& row, std::int64_t step, std::vector<Run>* runs) {
  for (const ProfiledNode* node : row.nodes) {
    const auto record = node->steps.find(step);
    if (record == node->steps.end()) continue;
    const auto add = [&](const auto& by_device, const char* what) {
      for (const auto& [device, spans] : by_device)
        for (const auto& [start, duration] : spans)
          runs->push_back({node, what + device, start, duration});
    };
    add(record->second.cpu, "Op scheduling threads: ");
    add(record->second.accelerator, "Op execution threads: ");
  }
  for (const RowPtr& child : row.children) collect(*child, step, runs);
}

void add_flows(const std::vector<Run>& runs, Page* page) {
  std::map<std::string, const Run*> last;
  for (const Run& run : runs) last[run.node->name] = &run;
  int id = 0;
  for (const Run& run : runs)
    for (const auto& [index, input] : run.node->inputs) {
      const auto from = last.find(input.name);
      if (from == last.end() || from->second->pid == run.pid) continue;
      const std::string name = input.name + "_flow";
      const Run& source = *from->second;
      page->flow("s", name, ++id, source.pid, source.tid, source.start + source.duration);
      page->flow("t", name, id, run.pid, run.tid, run.start);
    }
}

constexpr std::int64_t kCounterMicros = 100;  // between two values of a counter

void add_memory(const std::vector<Run>& runs, std::int64_t step, Page* page) {
  std::map<std::string, std::map<std::int64_t, std::int64_t>> in_use;
  for (const Run& run : runs)
    for (const NodeMemory& memory : run.node->steps.at(step).memory)
      if (memory.allocator_in_use > 0)
        in_use[run.node->device][memory.at_micros] = memory.allocator_in_use;
  for (const auto& [device, values] : in_use) {
    const int pid = page->process("mem usage on:" + device);
    std::int64_t next = 0;
    for (const auto& [at, bytes] : values) {
      if (at < next) continue;
      page->counter("Allocated Bytes", "Allocator Bytes in Use", pid, at, bytes);
      next = at + kCounterMicros;
    }
  }
}

std::string step_page(const Row& root, std::int64_t step) {
  Page page;
  std::vector<Run> runs;
  collect(root, step, &runs);
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.start < b.start; });
  std::map<std::string, Lanes> lanes;
  for (Run& run : runs) {
    run.pid = page.process(run.device);
    run.tid = lanes[run.device].take(run.start, run.start + run.duration);
    page.region(run.node->name, run.pid, run.tid, run.start, run.duration);
  }
  add_flows(runs, &page);
  add_memory(runs, step, &page);
  return page.text();
}

// A row's time, with those below it side by side in the next process.
void add_row(const Row& row, int depth, std::int64_t start, Page* page) {
  page->process(str_cat("Scope:", depth));
  page->region(row.name, depth, 0, start, row.total.micros());
  for (const RowPtr& child : row.children) {
    add_row(*child, depth + 1, start, page);
    start += child->total.micros();
  }
}

std::string tree_page(const Row& root) {
  Page page;
  std::int64_t start = 0;
  for (const RowPtr& row : root.children) {
    add_row(*row, 0, start, &page);
    start += row->total.micros();
  }
  return page.text();
}

}  // namespace

void write_timelines(const ProfiledModel& model, ViewKind kind, const Row& root,
                     const ProfileOptions& options) {
  require(kind != ViewKind::op, "The op view has no timeline; use graph, scope or code");
  const std::string& file = options.output_options.at("outfile");
  if (kind != ViewKind::graph) return write_file(str_cat(file, "_", options.step), tree_page(root));
  require(!model.steps().empty(), "A timeline of the graph needs a step that was traced");
  for (const std::int64_t step : model.steps())
    if (options.step < 0 || step == options.step)
      write_file(str_cat(file, "_", step), step_page(root, step));
}

}  // namespace rill::profiler
