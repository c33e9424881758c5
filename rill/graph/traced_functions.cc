#include "rill/graph/traced_functions.h"

#include <map>
#include <mutex>

#include "rill/graph/body_owner.h"

namespace rill {
namespace {

struct AllTraces {
  std::mutex mutex;
  std::map<std::pair<const FunctionLibrary*, std::string>, std::weak_ptr<TracedFunction>> by_name;
  std::size_t next_sweep = 256;
};

AllTraces& all_traces() {
  static AllTraces& all = *new AllTraces;  // graphs may outlive static storage
  return all;
}

struct HeldTraces {
  std::vector<std::shared_ptr<TracedFunction>> all;
};

struct Traced {
  bool is = false;
};

struct FunctionalFlow {
  bool on = false;
};

}  // namespace

std::shared_ptr<TracedFunction> keep_trace(const std::shared_ptr<FunctionLibrary>& library,
                                           const std::string& function, TracedFunction trace) {
  auto kept = std::make_shared<TracedFunction>(std::move(trace));
  kept->builder->body()->attached<Traced>().is = true;
  AllTraces& all = all_traces();
  const std::lock_guard lock(all.mutex);
  all.by_name[{library.get(), function}] = kept;
  if (all.by_name.size() < all.next_sweep) return kept;
  std::erase_if(all.by_name, [](const auto& entry) { return entry.second.expired(); });
  all.next_sweep = 2 * all.by_name.size() + 256;
  return kept;
}

bool is_traced(Graph& body) { return body.attached<Traced>().is; }

void hold_trace(Graph& graph, std::shared_ptr<TracedFunction> trace) {
  graph.attached<HeldTraces>().all.push_back(std::move(trace));
}

// A library may lie where one lay that is gone: the body tells whose it is.
std::shared_ptr<TracedFunction> find_trace(const std::shared_ptr<FunctionLibrary>& library,
                                           const std::string& function) {
  AllTraces& all = all_traces();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_name.find({library.get(), function});
  auto trace = found == all.by_name.end() ? nullptr : found->second.lock();
  return trace != nullptr && trace->builder->body()->functions() == library ? trace : nullptr;
}

std::shared_ptr<Graph> shared_body(Graph& body) { return body.attached<BodyOwner>().self.lock(); }

void use_functional_flow(Graph& body) { body.attached<FunctionalFlow>().on = true; }
bool has_functional_flow(Graph& graph) { return graph.attached<FunctionalFlow>().on; }

}  // namespace rill
