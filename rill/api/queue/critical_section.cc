#include "rill/api/queue/critical_section.h"

#include <algorithm>

#include "rill/api/core/made_here.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/resource.h"
#include "rill/base/error.h"

namespace rill {
namespace {

constexpr const char* kExecutions = "critical_section_executions";

// One execution, as the graph remembers it.
struct Execution : Collectable {
  Output handle;
  std::vector<Output> resources;
  bool exclusive = true;
};

// The sections whose functions are building, in this thread.
std::vector<std::string>& building_sections() {
  thread_local std::vector<std::string> names;
  return names;
}

class Entered {
 public:
  explicit Entered(const std::string& section) {
    auto& names = building_sections();
    require(std::ranges::find(names, section) == names.end(),
            "Attempting to lock a CriticalSection (signature=", section,
            ") in which we are already running. This is illegal and may cause deadlocks.");
    names.push_back(section);
  }
  ~Entered() { building_sections().pop_back(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
};

std::vector<Node*> nodes_since(Graph& graph, int count) {
  const std::vector<Node*> all = graph.nodes();
  return {all.begin() + count, all.end()};
}

// What the nodes need from outside must be there before the lock is taken: a step that holds it
// waits for nobody.
void need_before(Node& lock, const std::vector<Node*>& created) {
  std::vector<Node*> outside;
  const auto add = [&](Node* node) {
    const auto is_in = [&](const std::vector<Node*>& list) {
      return std::ranges::find(list, node) != list.end();
    };
    const bool of_lock = node == &lock || is_in(lock.control_inputs()) ||
                         std::ranges::any_of(lock.inputs(), [&](const Output& input) {
                           return input.node.get() == node;
                         });
    if (!of_lock && !is_in(created) && !is_in(outside)) outside.push_back(node);
  };
  for (Node* node : created) {
    for (const Output& input : node->inputs()) add(input.node);
    for (Node* control : node->control_inputs()) add(control);
  }
  if (!outside.empty()) lock.graph().add_control_input(lock, group(outside));
}

std::vector<Output> identities(const std::vector<Output>& tensors) {
  std::vector<Output> same;
  for (const Output& tensor : tensors) same.push_back(raw::Identity(tensor));
  return same;
}

std::vector<Node*> nodes_of(const std::vector<Output>& tensors) {
  std::vector<Node*> nodes;
  for (const Output& tensor : tensors) nodes.push_back(tensor.node);
  return nodes;
}

}  // namespace

CriticalSection::CriticalSection(const CriticalSectionOptions& options, std::source_location at) {
  const Block in(options.name, "CriticalSection", at);
  const Inside outside(current_scope().without_control());
  const bool is_named = !options.shared_name.empty() || executing_eagerly();
  const std::string& shared = is_named ? options.shared_name : in.own_name();
  handle_ = raw::MutexV2({.shared_name = shared, .name = in.own_name()});
}

bool CriticalSection::is_own(Output handle) const {
  const auto shared = [](Output h) -> const std::string& {
    return h.node->attr<std::string>("shared_name");
  };
  return handle.node->op().name == "MutexV2" && !shared(handle).empty() &&
         shared(handle) == shared(handle_) && handle.node->device() == handle_.node->device();
}

std::vector<Output> CriticalSection::checked_resources(const std::vector<Node*>& created,
                                                       bool exclusive) const {
  std::vector<Output> resources;
  for (const Node* node : created)
    for (const Output& input : node->inputs())
      if (base_type(input.dtype()) == DType::resource) resources.push_back(input);
  for (const Output& resource : resources)
    require(!is_own(resource),
            "Attempting to lock a CriticalSection in which we are already running (signature=",
            name(), "). This is illegal and may cause deadlocks.");
  for (const auto& other :
       collections_of(handle_.node->graph()).collected<Execution>(kExecutions)) {
    if (is_own(other->handle) || !(exclusive || other->exclusive)) continue;
    for (const Output& resource : resources)
      require(std::ranges::find(other->resources, resource) == other->resources.end(),
              "This execution would access resources: ", resource.name(),
              ". Either this lock (CriticalSection: ", handle_.name(), ") or lock '",
              other->handle.name(),
              "' requested exclusive resource access of this resource. Did you mean to call "
              "execute with keyword argument exclusive_resource_access=False?");
  }
  return resources;
}

std::vector<Output> CriticalSection::execute(const BranchFn& fn, const ExecuteOptions& options,
                                             std::source_location at) const {
  const Block in(options.name, "critical_section_execute", at);
  if (executing_eagerly()) {  // the lock goes with its value, whatever happens
    const Entered entered(name());
    const Output lock = raw::MutexLock(handle_);
    std::vector<Output> results = fn();
    raw::ConsumeMutexLock(lock);
    return results;
  }
  Graph& graph = handle_.node->graph();
  std::vector<Output> results;
  std::vector<Node*> created;
  Node* lock = nullptr;
  {
    const Entered entered(name());
    lock = raw::MutexLock(handle_).node;
    const int count = graph.node_count();
    const ControlDependencies locked(std::span(&lock, 1));
    results = fn();
    created = nodes_since(graph, count);
  }
  need_before(*lock, created);
  auto execution = std::make_shared<Execution>();
  execution->handle = handle_;
  execution->exclusive = options.exclusive_resource_access;
  execution->resources = checked_resources(created, options.exclusive_resource_access);
  const std::vector<Output> computed = identities(results);
  Node* unlocked = nullptr;
  {
    const std::vector<Node*> all = nodes_of(computed);
    const ControlDependencies after(all);
    {
      const ColocateWith beside(*handle_.node);
      unlocked = &raw::ConsumeMutexLock(lock->output(0));
    }
    results = tuple(results);
  }
  const ControlDependencies after(std::span(&unlocked, 1));
  add_to_collection(kExecutions, std::shared_ptr<Collectable>(execution));
  return identities(results);
}

}  // namespace rill
