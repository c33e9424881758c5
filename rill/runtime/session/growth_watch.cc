#include "rill/runtime/session/growth_watch.h"

#include <shared_mutex>

#include "rill/base/log.h"

namespace rill {
namespace {

std::string made_at(const Node& node) {
  const auto& origin = node.origin();
  if (origin == nullptr || origin->frames.empty()) return "";
  const Frame& frame = origin->frames[0];
  return str_cat(", made at ", frame.file, ":", frame.line,
                 frame.function.empty() ? "" : str_cat(" in ", frame.function));
}

}  // namespace

void GrowthWatch::note_growth(int count) {
  const int before = seen_.exchange(count, std::memory_order_relaxed);
  if (before < 0 || count <= before) return;
  const std::int64_t extensions = ++extensions_;
  std::int64_t due = next_warning_;
  if (extensions < due || !next_warning_.compare_exchange_strong(due, due * 10)) return;
  const std::shared_lock lock(graph_.mutex());
  const Node& first = graph_.node(before);
  log(LogLevel::kWarning, "The graph has grown between runs ", extensions, " times and has ", count,
      " nodes now. The last run found ", count - before, " new ones, the first of them '",
      first.name(), "' (", first.op().name, ")", made_at(first),
      ". Build the graph once, before the first run; Graph.finalize() finds the place.");
}

}  // namespace rill
