#include "rill/runtime/placement/placer.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/kernel/kernel_fit.h"

namespace rill {
namespace {

constexpr std::string_view kGroupPrefix = "loc:@";

// Makes one value out of nothing. Where it runs matters only to who reads it.
bool is_generator(const Node& node) {
  return node.input_count() == 0 && node.output_count() == 1 && !is_ref(node.output_type(0));
}

std::string quoted_group(const Node& node) {
  return str_cat("{{colocation_node ", node.name(), "}}");
}

std::string conflict_text(const Node& node, const Node& other, bool by_edge, std::string_view why) {
  const std::string text = str_cat("Cannot colocate nodes ", quoted_group(node), " and ",
                                   quoted_group(other), ": ", why);
  if (!by_edge) return text;
  return str_cat(
      "Nodes were connected by a reference or resource connection (requiring them to be ",
      "on the same device), but the two nodes were assigned two different devices: ", text);
}

std::string malformed(const Node& node, const Error& error) {
  return str_cat("Malformed device specification '", node.device(), "' in node {{node ",
                 node.name(), "}}: ", error.message());
}

// Ops whose kernels of CPUs come first in TensorFlow, whatever other devices there are.
constexpr std::array<std::string_view, 10> kCpuFirst{
    "AnonymousIteratorV2",    "DeleteIterator",      "GeneratorDataset",
    "IteratorGetNext",        "IteratorGetNextSync", "IteratorFromStringHandleV2",
    "IteratorToStringHandle", "IteratorV2",          "MakeIterator",
    "PrefetchDataset"};

DeviceName without_device(DeviceName name) {
  name.type.reset();
  name.id.reset();
  return name;
}

}  // namespace

Placer::Placer(const Graph& graph, std::vector<Device*> devices, const KernelRegistry& kernels,
               PlacerOptions options)
    : graph_(graph), devices_(std::move(devices)), kernels_(kernels), options_(std::move(options)) {
  for (const Device* device : devices_) {
    device_names_.push_back(DeviceName::parse(device->name()));
    const auto at = std::ranges::find(types_, device->type()) - types_.begin();
    if (at == std::ssize(types_)) types_.push_back(device->type());
    type_of_.push_back(1u << at);
  }
  require(types_.size() <= 32, "more than 32 types of device");
}

void Placer::extend() {
  if (is_trivial()) return;
  const std::lock_guard lock(mutex_);
  const int begin = static_cast<int>(members_.size()), end = graph_.node_count();
  for (int id = begin; id < end; ++id) add_member(graph_.node(id));
  for (int id = begin; id < end; ++id) {
    join_groups(graph_.node(id));
    join_inputs(graph_.node(id));
  }
  for (int id = begin; id < end; ++id)
    if (const Node& node = graph_.node(id); !is_generator(node)) assign(node, near_input(node));
  for (int id = begin; id < end; ++id)
    if (const Node& node = graph_.node(id); is_generator(node)) assign(node, near_consumers(node));
}

void Placer::add_member(const Node& node) {
  const bool cpu_first = std::ranges::find(kCpuFirst, node.op().name) != kCpuFirst.end();
  members_.push_back({.parent = node.id(), .types = types_of(node), .cpu_first = cpu_first});
  try {
    members_.back().name = requested(node);
  } catch (const Error& error) {
    members_.back().error = malformed(node, error);
  }
}

// With one type of device there is no choice; that a kernel is missing shows when it is made.
std::uint32_t Placer::types_of(const Node& node) const {
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << types_.size()) - 1);
  if (types_.size() == 1) return all;
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (fits(node, types_[i])) found |= 1u << i;
  return found == 0 ? all : found;
}

// The CPU calls any function; what it has no kernels for fails when it runs.
bool Placer::fits(const Node& node, const std::string& device_type) const {
  return kernel_fits(kernels_, node, device_type) &&
         (device_type == "CPU" || !options_.runs_functions ||
          options_.runs_functions(node, device_type));
}

int Placer::place(const Node& node) {
  const std::lock_guard lock(mutex_);
  if (is_trivial()) return place_on_only_device(node);
  const Member& member = group(node);
  if (!member.error.empty()) fail(node, member.error);
  if (member.device < 0) fail(node, unavailable(node, member));
  return member.device;
}

// Whatever a node is colocated with, there is only one place to go.
int Placer::place_on_only_device(const Node& node) {
  if (node.device().empty()) return 0;
  Member alone{.parent = node.id(), .types = type_of_[0]};
  try {
    alone.name = requested(node);
  } catch (const Error& error) {
    fail(node, malformed(node, error));
  }
  const DeviceName& name = names_[static_cast<std::size_t>(alone.name)];
  if (!(options_.soft ? without_device(name) : name).covers(device_names_[0]))
    fail(node, unavailable(node, alone));
  return 0;
}

int Placer::name_index(const DeviceName& name) {
  const auto at = std::ranges::find(names_, name) - names_.begin();
  if (at == std::ssize(names_)) names_.push_back(name);
  return static_cast<int>(at);
}

int Placer::requested(const Node& node) {
  if (node.device().empty()) return 0;
  const auto [it, fresh] = name_of_text_.emplace(node.device(), 0);
  if (fresh) it->second = name_index(DeviceName::parse(node.device()));
  return it->second;
}

int Placer::root(int id) {
  for (;;) {
    int& parent = members_[static_cast<std::size_t>(id)].parent;
    if (parent == id) return id;
    parent = members_[static_cast<std::size_t>(parent)].parent;
    id = parent;
  }
}

// --- who goes together -------------------------------------------------------------------------

void Placer::join_groups(const Node& node) {
  if (!absent_.empty()) {
    if (const auto it = absent_.find(node.name()); it != absent_.end())
      unite(node, graph_.node(it->second), Bond::kGroup);
  }
  const auto it = node.attrs().find("_class");
  if (it == node.attrs().end()) return;
  const auto* groups = it->second.get_if<std::vector<std::string>>();
  if (groups == nullptr) return;
  for (const std::string& group : *groups) {
    if (!group.starts_with(kGroupPrefix)) continue;
    const std::string name = group.substr(kGroupPrefix.size());
    const Node* other = graph_.find(name);
    if (other == nullptr) other = &graph_.node(absent_.emplace(name, node.id()).first->second);
    if (other->id() < static_cast<int>(members_.size())) unite(node, *other, Bond::kGroup);
  }
}

void Placer::join_inputs(const Node& node) {
  for (int i = 0; i < node.input_count(); ++i) {
    const DType type = node.input_type(i);
    if (!node.input(i).node) continue;  // the back edge of a loop under construction
    if (is_ref(type)) unite(node, *node.input(i).node, Bond::kReference);
    if (type == DType::resource) unite(node, *node.input(i).node, Bond::kResource);
  }
}

// With soft placement, groups that contradict each other stay apart.
void Placer::unite(const Node& node, const Node& other, Bond bond) {
  const int mine = root(node.id()), theirs = root(other.id());
  if (mine == theirs) return;
  Member& kept = members_[static_cast<std::size_t>(theirs)];
  Member& joined = members_[static_cast<std::size_t>(mine)];
  try {
    kept.name = merged_name(joined, kept, bond);
    require(joined.device < 0 || kept.device < 0 || joined.device == kept.device,
            "they are on different devices already");
    require((joined.types & kept.types) != 0,
            "no device type supports both of those nodes and the other nodes colocated with them.");
  } catch (const Error& conflict) {
    if (options_.soft) return;
    if (kept.error.empty())
      kept.error = conflict_text(node, other, bond != Bond::kGroup, conflict.message());
  }
  if (kept.error.empty()) kept.error = joined.error;
  kept.device = std::max(kept.device, joined.device);
  kept.types &= joined.types;
  kept.cpu_first = kept.cpu_first || joined.cpu_first;
  joined.parent = theirs;
}

int Placer::merged_name(const Member& mine, const Member& theirs, Bond bond) {
  if (mine.name == 0 || mine.name == theirs.name) return theirs.name;
  if (theirs.name == 0) return mine.name;
  const DeviceName my_name = names_[static_cast<std::size_t>(mine.name)];
  const DeviceName their_name = names_[static_cast<std::size_t>(theirs.name)];
  // Who made the resource says where it is; what uses it follows.
  return name_index(bond == Bond::kResource ? their_name.over(my_name)
                                            : my_name.together_with(their_name, options_.soft));
}

// --- where they go -----------------------------------------------------------------------------

int Placer::near_input(const Node& node) {
  return node.op().has(kMetadata) && node.input(0).node ? group(*node.input(0).node).device : -1;
}

int Placer::near_consumers(const Node& node) {
  int device = -1;
  for (const Node* consumer : node.consumers()) {
    const int there = group(*consumer).device;
    if (device >= 0 && there != device) return -1;
    device = there;
  }
  return device;
}

void Placer::assign(const Node& node, int preferred) {
  Member& member = group(node);
  if (member.device < 0 && member.error.empty()) {
    const DeviceName& name = names_[static_cast<std::size_t>(member.name)];
    std::vector<int> possible = candidates(member, name);
    if (possible.empty() && options_.soft) possible = candidates(member, without_device(name));
    const bool fits = std::ranges::find(possible, preferred) != possible.end();
    if (!possible.empty()) member.device = fits ? preferred : possible.front();
  }
  if (!options_.log || member.device < 0) return;
  const std::string line =
      str_cat(node.name(), ": (", node.op().name,
              "): ", devices_[static_cast<std::size_t>(member.device)]->name());
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  log(LogLevel::kInfo, line);
}

std::vector<int> Placer::candidates(const Member& member, const DeviceName& name) const {
  std::vector<int> found;
  for (std::size_t n = 0; n < devices_.size(); ++n) {
    const std::size_t i =
        options_.preference.empty() ? n : static_cast<std::size_t>(options_.preference[n]);
    if (name.covers(device_names_[i]) && (type_of_[i] & member.types) != 0)
      found.push_back(static_cast<int>(i));
  }
  if (member.cpu_first)
    std::ranges::stable_partition(
        found, [&](int i) { return devices_[static_cast<std::size_t>(i)]->type() == "CPU"; });
  return found;
}

std::string Placer::unavailable(const Node& node, const Member& member) const {
  const DeviceName& name = names_[static_cast<std::size_t>(member.name)];
  std::vector<std::string> there;
  for (const Device* device : devices_) there.push_back(device->name());
  const std::string list = str_cat("[ ", join(there, ", "), " ]");
  const std::string start = str_cat("Cannot assign a device for operation ", node.name(), ": ");
  if (node.device().empty())
    return str_cat(start, "Could not satisfy explicit device specification '' because the node ",
                   quoted_group(node), " was colocated with a group of nodes that required ",
                   "incompatible device '", name, "'. All available devices ", list, ".");
  const bool exists = std::ranges::any_of(
      device_names_, [&](const DeviceName& device) { return name.covers(device); });
  if (exists)
    return str_cat(start, "Could not satisfy explicit device specification '", node.device(),
                   "' because no supported kernel for ", name.type.value_or("its"),
                   " devices is available.");
  const bool is_gpu = name.type == "GPU" && std::ranges::find(types_, "GPU") == types_.end();
  return str_cat(
      start, "{{node ", node.name(), "}} was explicitly assigned to ",
      to_text(DeviceName::parse(node.device())), " but available devices are ", list,
      ". Make sure the device specification refers to a valid device.",
      is_gpu ? " The requested device appears to be a GPU, but CUDA is not enabled." : "");
}

void Placer::fail(const Node& node, const std::string& error) const {
  std::string at;
  if (const auto& origin = node.origin(); origin != nullptr && !origin->frames.empty())
    at = str_cat(" (defined at ", origin->frames[0].file, ":", origin->frames[0].line, ") ");
  throw Error(Code::kInvalidArgument, error)
      .with_node(node.name(), str_cat("\n\t [[node ", node.name(), at, "]]"));
}

}  // namespace rill
