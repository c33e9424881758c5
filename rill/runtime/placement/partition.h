#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/passes/subgraph.h"
#include "rill/runtime/plan/frame_layout.h"

namespace rill {

inline constexpr int kClient = 0;  // the device that a program's values come from and go to

// True for a node of the graph whose op has the trait.
inline bool is_node(const Subgraph::Item& item, std::uint64_t trait) {
  return item.is_plain() && item.node->op().has(trait);
}

// The partition of a step that one device runs.
struct Partition {
  int device = 0;
  Subgraph graph;
};

struct PartitionedGraph {
  std::vector<Partition> partitions;  // the client's first: it holds the feeds and the fetches
  std::unique_ptr<Graph> helpers;     // the nodes that were added: sends, receives, loops
};

// True when some value of `graph` has to go from one device to another. Feeds come from, and
// fetches go to, the device `client`.
bool spans_devices(const Subgraph& graph, int client = kClient);

// Moves what only steers values (Switch, Exit, Enter, NextIteration) to the values it steers,
// whatever device was asked for.
void follow_values(Subgraph& graph);

// How values come from and go to the client: all feeds before the step and all fetches after it or,
// for partial runs, each when it is there, through a _Recv and a _Send.
struct ClientValues {
  bool by_rendezvous = false;
  std::vector<std::string> fetch_names = {};  // for those sends; passes may have moved a fetch
  // The device of whoever calls, where that is a function's node. Arguments then lie in its memory,
  // and so do results.
  int device = kClient;
  bool results_on_host = false;
  // Of the devices, where they are those of several processes; empty: they are this one's.
  std::vector<std::int64_t> incarnations = {};
};

// Where the arguments of nodes lie on their devices. This one says: all on the host.
class ArgumentMemory {
 public:
  virtual ~ArgumentMemory() = default;
  // Of what kernels on that device read and write unless they say otherwise.
  virtual MemoryKind of_device(int /*device*/) const { return MemoryKind::host; }
  virtual MemoryKind of_input(const Subgraph::Item&, int /*i*/) const { return MemoryKind::host; }
  virtual MemoryKind of_output(const Subgraph::Item&, int /*i*/) const { return MemoryKind::host; }
  // Whether that input is read wherever it lies.
  virtual bool takes_any(const Subgraph::Item&, int /*i*/) const { return false; }
  // A constant in the memory of a device.
  virtual Tensor upload(const Tensor& constant, int /*device*/) const { return constant; }
};

// Cuts a placed subgraph at the edges between devices, as TensorFlow does: a _Send in one partition
// and a _Recv in the other, once for each value and device; _HostSend and _HostRecv where the end
// is in host memory although the device has its own. Such a pair also stands inside of a partition,
// where a value in one kind of memory is read in the other. A partition that receives a value
// inside a loop gets a control loop of its own that runs as many iterations as the real one. Throws
// InvalidArgument when an edge joins different loops, or a loop that spans devices has no
// condition. `devices` are names.
PartitionedGraph partition(const Subgraph& graph, std::span<const std::string> devices,
                           const Registry& registry, const ClientValues& client = {},
                           const ArgumentMemory& memory = {});

}  // namespace rill
