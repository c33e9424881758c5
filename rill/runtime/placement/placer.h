#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/graph/device_name.h"
#include "rill/graph/graph.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

struct PlacerOptions {
  bool soft = false;  // a device that does not exist or does not fit is replaced by one that does
  bool log = false;   // prints where each node goes
  // Positions of the devices in order of preference; empty: in their own order.
  std::vector<int> preference = {};
  // Whether a type of device has kernels for the functions that a node calls; empty: yes.
  std::function<bool(const Node& caller, const std::string& device_type)> runs_functions = {};
};

// Which device each node of one graph runs on. A node is looked at once, when the next run sees it
// for the first time, and stays where it was put. With a single device nothing is looked at but the
// nodes that ask for one. The rules are TensorFlow's:
// - nodes of one colocation group, and those joined by references or resource handles, go together;
// - a node goes where its name says, else to the first device that has kernels for it;
// - what only reads a shape goes to its input, what has no input goes to its consumers.
class Placer {
 public:
  // The devices outlive the placer.
  Placer(const Graph& graph, std::vector<Device*> devices, const KernelRegistry& kernels,
         PlacerOptions options);

  // Places the nodes that were added since the last call. The graph's mutex is held, shared.
  void extend();
  // The node's position in `devices`. Throws InvalidArgument, naming the node and its line, when it
  // asks for what there is not or contradicts its group. Only after extend().
  int place(const Node& node);

 private:
  // A node; what is true of its whole group stands at the group's root.
  struct Member {
    int parent;
    int name = 0;     // of the group: position in names_
    int device = -1;  // of the group; -1 also when there is none for it
    std::uint32_t types =
        0;                   // of the group: types of device with kernels for all of it, a bit each
    std::string error;       // of the group: why it contradicts itself
    bool cpu_first = false;  // of the group: goes elsewhere only where it is asked to
  };
  enum class Bond { kGroup, kReference, kResource };

  bool is_trivial() const { return devices_.size() == 1 && !options_.log; }
  int place_on_only_device(const Node& node);
  int name_index(const DeviceName& name);
  int requested(const Node& node);
  int root(int id);
  Member& group(const Node& node) { return members_[static_cast<std::size_t>(root(node.id()))]; }
  void join_groups(const Node& node);
  void join_inputs(const Node& node);
  void unite(const Node& node, const Node& other, Bond bond);
  int merged_name(const Member& mine, const Member& theirs, Bond bond);
  void assign(const Node& node, int preferred);
  int near_input(const Node& node);
  int near_consumers(const Node& node);
  std::vector<int> candidates(const Member& member, const DeviceName& name) const;
  void add_member(const Node& node);
  std::uint32_t types_of(const Node& node) const;
  bool fits(const Node& node, const std::string& device_type) const;
  std::string unavailable(const Node& node, const Member& member) const;
  [[noreturn]] void fail(const Node& node, const std::string& error) const;

  const Graph& graph_;
  const std::vector<Device*> devices_;
  const KernelRegistry& kernels_;
  const PlacerOptions options_;
  std::vector<DeviceName> device_names_;
  std::vector<std::string> types_;      // of the devices, each once
  std::vector<std::uint32_t> type_of_;  // per device: its bit in Member::types

  std::mutex mutex_;
  std::vector<Member> members_;  // by node id
  std::vector<DeviceName> names_{DeviceName()};
  std::unordered_map<std::string, int> name_of_text_;  // names as programs write them
  std::unordered_map<std::string, int> absent_;  // groups named after no node: one of their nodes
};

}  // namespace rill
