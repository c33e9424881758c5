#include <algorithm>
#include <cstdio>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/ops/register.h"
#include "tests/optest/commands.h"

namespace rill {
namespace {

constexpr std::int64_t kRoundNanos = 5'000'000;
constexpr int kRounds = 10;

double best_nanos_per_call(const Callable& call, const std::vector<Tensor>& feeds) {
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::int64_t start = monotonic_nanos();
    std::int64_t calls = 0, elapsed = 0;
    for (; elapsed < kRoundNanos; ++calls, elapsed = monotonic_nanos() - start) call(feeds);
    const double nanos = static_cast<double>(elapsed) / static_cast<double>(calls);
    best = round == 0 ? nanos : std::min(best, nanos);
  }
  return best;
}

double measure(const NamedCase& c) {
  const CaseGraph graph = case_graph(c.row, standard_ops().at(c.row.op), InputMode::kFed);
  const std::shared_ptr<Graph> loaded = load(graph);
  Session session(loaded);
  std::vector<Output> feed_targets, fetches;
  std::vector<Tensor> feeds;
  for (const auto& [name, value] : graph.feeds) {
    feed_targets.push_back(loaded->tensor(name));
    feeds.push_back(value);
  }
  for (const std::string& fetch : graph.fetches) fetches.push_back(loaded->tensor(fetch));
  Node* const target = &loaded->at("case");
  return best_nanos_per_call(session.make_callable(feed_targets, fetches, {&target, 1}), feeds);
}

std::string input_text(const OpCase& row) {
  std::vector<std::string> parts;
  for (const CaseInput& input : row.in)
    for (const Tensor& value : input.values) parts.push_back(str_cat(value.dtype(), value.shape()));
  return join(parts, " ");
}

}  // namespace

int measure_cases(const std::string& stem) {
  for (const OpCases* table : selected(stem)) {
    for (const NamedCase& c : named_cases(*table)) {
      // What queues and files cost depends on what earlier calls left in them.
      if (!c.row.perf || c.row.error[0] != '\0' || !c.row.graph.empty()) continue;
      std::printf("%-40s %12.0f ns  %s\n", str_cat(table->stem, "/", c.name).c_str(), measure(c),
                  input_text(c.row).c_str());
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace rill
