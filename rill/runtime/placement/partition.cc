#include "rill/runtime/placement/partition.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "rill/base/error.h"
#include "rill/kernel/host_arguments.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/passes/helper_nodes.h"
#include "rill/runtime/plan/loop_tree.h"

namespace rill {
namespace {

std::string item_name(const Subgraph::Item& item) {
  if (item.feed < 0) return item.node->name();
  return str_cat("_arg_", item.node->name(), "_", item.constant_output, "_", item.feed);
}

class Partitioner {
 public:
  Partitioner(const Subgraph& graph, std::span<const std::string> devices, const Registry& registry,
              const ClientValues& client, const ArgumentMemory& memory)
      : graph_(graph),
        devices_(devices),
        client_(client),
        memory_(memory),
        loops_(graph),
        helpers_(registry) {}

  PartitionedGraph run() {
    if (!graph_.fetches.empty()) part_on(client_.device);
    for (const Subgraph::Item& item : graph_.items)
      if (!item.constant) part_on(item.device);
    std::ranges::stable_sort(
        partitions_, {}, [this](const Partition& part) { return part.device != client_.device; });
    for (std::size_t p = 0; p < partitions_.size(); ++p)
      part_of_device_[partitions_[p].device] = static_cast<int>(p);
    loops_of_part_.resize(partitions_.size());
    position_.assign(graph_.items.size(), -1);
    for (std::size_t i = 0; i < graph_.items.size(); ++i) add_item(static_cast<int>(i));
    add_fetches();
    drive_loops();
    close_loops();
    for (const int target : graph_.targets)
      if (position_[at(target)] >= 0)  // a constant has run already
        graph_of(part_of(target)).targets.push_back(position_[at(target)]);
    return {std::move(partitions_), helpers_.finish()};
  }

 private:
  // A control loop of a partition, which iterates with the real one; its receives wait for `merge`.
  struct ControlLoop {
    int merge;
    const Node* merge_node;
    const Node* near;
  };
  struct BackEdge {
    int part, position, input;
    Subgraph::Edge from;
  };

  void part_on(int device) {
    if (std::ranges::find(partitions_, device, &Partition::device) != partitions_.end()) return;
    partitions_.push_back({device, {}});
    partitions_.back().graph.helpers = &helpers_.graph();
    partitions_.back().graph.rewritten = graph_.rewritten;
    partitions_.back().graph.fired = graph_.fired;
  }
  int part_of(int item) const { return part_of_device_.at(graph_.items[at(item)].device); }
  Subgraph& graph_of(int part) { return partitions_[at(part)].graph; }
  const std::string& device_of(int part) const {
    return devices_[at(partitions_[at(part)].device)];
  }

  std::int64_t incarnation(int device) const {
    return client_.incarnations.empty() ? kLocalIncarnation : client_.incarnations[at(device)];
  }

  int push(int part, Subgraph::Item item) {
    Subgraph& graph = graph_of(part);
    item.device = partitions_[at(part)].device;
    graph.items.push_back(std::move(item));
    return static_cast<int>(graph.items.size()) - 1;
  }

  void add_item(int index) {
    const Subgraph::Item& item = graph_.items[at(index)];
    if (item.constant) return;  // copied to where it is read
    if (item.feed >= 0) {
      position_[at(index)] =
          client_.by_rendezvous ? receive_feed(item) : copy(index, 0, client_kind(item));
      return;
    }
    const int part = part_of(index), loop = loops_.runs_in[at(index)];
    Subgraph::Item local{.node = item.node, .replaced = item.replaced};
    for (std::size_t i = 0; i < item.inputs.size(); ++i) {
      const bool is_back_edge = item.inputs[i].item >= index;
      const bool is_variable = is_ref(item.node->input_type(static_cast<int>(i)));
      if (!is_back_edge && is_variable)
        check_variable_is_here(item.inputs[i].item, part, *item.node);
      const MemoryKind kind = is_variable || is_read_anywhere(item, static_cast<int>(i))
                                  ? source_kind(item.inputs[i])
                                  : memory_.of_input(item, static_cast<int>(i));
      local.inputs.push_back(
          is_back_edge ? Subgraph::Edge{}
                       : value(item.inputs[i], part, loop, item.node->name(), kind, index));
    }
    for (const int control : item.controls)
      if (const int before = waits_for(control, part, loop, *item.node); before >= 0)
        local.controls.push_back(before);
    const int position = position_[at(index)] = push(part, std::move(local));
    for (std::size_t i = 0; i < item.inputs.size(); ++i)
      if (item.inputs[i].item >= index)
        back_edges_.push_back({part, position, static_cast<int>(i), item.inputs[i]});
  }

  bool is_read_anywhere(const Subgraph::Item& item, int i) const {
    return graph_.items[at(item.inputs[at(i)].item)].is_plain() && memory_.takes_any(item, i);
  }

  void check_variable_is_here(int source, int part, const Node& reader) const {
    require(part_of(source) == part, "'", reader.name(), "' needs the variable '",
            graph_.items[at(source)].node->name(), "' itself, which is on another device");
  }

  AttrMap client_attrs(const std::string& tensor) const {
    return {{"tensor_name", tensor},
            {"send_device", devices_[kClient]},
            {"send_device_incarnation", incarnation(kClient)},
            {"recv_device", devices_[kClient]},
            {"client_terminated", true}};
  }

  int receive_feed(const Subgraph::Item& item) {
    const Output fed{const_cast<Node*>(item.node), item.constant_output};
    AttrMap attrs = client_attrs(fed.name());
    attrs.emplace("tensor_type", base_type(fed.dtype()));
    return push(0, {.node = &helpers_.add(
                        "_Recv", str_cat("_recv_", item.node->name(), "_", item.constant_output),
                        {}, std::move(attrs), *item.node)});
  }

  void send_fetch(Subgraph::Edge local, std::size_t i) {
    const Subgraph::Edge& fetch = graph_.fetches[i];
    const Subgraph::Item& item = graph_.items[at(fetch.item)];
    const DType type = base_type(graph_.dtype(fetch));
    AttrMap attrs = client_attrs(client_.fetch_names[i]);
    attrs.emplace("T", type);
    Subgraph::Item sent{
        .node = &helpers_.add("_Send", str_cat("_send_", item.node->name(), "_", fetch.output),
                              {helpers_.any(type, *item.node)}, std::move(attrs), *item.node)};
    sent.inputs.push_back(local);
    push(0, std::move(sent));
  }

  // A feed or a constant in `part`, in one kind of memory.
  int copy(int index, int part, MemoryKind kind) {
    const auto [it, fresh] = copies_.emplace(std::tuple(index, part, kind), -1);
    if (!fresh) return it->second;
    Subgraph::Item item = graph_.items[at(index)];
    if (item.constant && kind == MemoryKind::device)
      item.constant = memory_.upload(*item.constant, partitions_[at(part)].device);
    return it->second = push(part, std::move(item));
  }

  // Where the client's values lie: a program's in host memory.
  MemoryKind client_kind(DType type) const {
    return is_in_device_memory(type) ? memory_.of_device(client_.device) : MemoryKind::host;
  }
  MemoryKind client_kind(const Subgraph::Item& feed) const {
    return client_kind(base_type(feed.node->output_type(feed.constant_output)));
  }

  // Where a value lies that is no constant. What is fed is the client's.
  MemoryKind source_kind(const Subgraph::Edge& edge) const {
    const Subgraph::Item& source = graph_.items[at(edge.item)];
    return source.is_plain() ? memory_.of_output(source, edge.output) : client_kind(source);
  }

  // The reader's item where its read of a variable has to wait for something, else -1: other reads
  // of the same value share one transfer.
  int ordered_read(const Subgraph::Edge& edge, int reader) const {
    const bool waits = reader >= 0 && !graph_.items[at(reader)].controls.empty();
    return waits && is_ref(graph_.dtype(edge)) ? reader : -1;
  }

  // Where the value of `edge` is found in `part` in memory of that kind, for a reader that runs in
  // `loop`; `index` is its item, if it is one.
  Subgraph::Edge value(Subgraph::Edge edge, int part, int loop, const std::string& reader,
                       MemoryKind kind, int index = -1) {
    const Subgraph::Item& source = graph_.items[at(edge.item)];
    if (source.constant) return {copy(edge.item, part, kind), edge.output};
    const MemoryKind there = source_kind(edge);
    if (source.feed >= 0 && loop != 0 && !client_.by_rendezvous) {
      const bool is_there = there == kind && (kind == MemoryKind::host || part == 0);
      if (!is_there) return {entered(edge, part, loop, reader, kind), 0};
      return {copy(edge.item, part, kind), edge.output};
    }
    if (part_of(edge.item) == part && there == kind) return {position_[at(edge.item)], edge.output};
    const int ordered = ordered_read(edge, index);
    const auto [it, fresh] =
        received_.emplace(std::tuple(edge.item, edge.output, part, kind, ordered), -1);
    if (!fresh) return {it->second, 0};
    check_loop(edge.item, loop, reader);
    it->second = transfer({position_[at(edge.item)], edge.output}, base_type(graph_.dtype(edge)),
                          edge.item, part, loop, reader, there, kind, ordered);
    return {it->second, 0};
  }

  // A feed as readers in `loop` see it, where it has to be brought into the memory of `part` first:
  // once, outside of all loops.
  int entered(Subgraph::Edge edge, int part, int loop, const std::string& reader, MemoryKind kind) {
    const auto [it, fresh] = entered_.emplace(std::tuple(edge.item, part, loop, kind), -1);
    if (!fresh) return it->second;
    const LoopTree::Loop& info = loops_.loops[at(loop)];
    const Node& near = *graph_.items[at(edge.item)].node;
    const Node& enter =
        helpers_.add("Enter", near.name(), {helpers_.any(base_type(graph_.dtype(edge)), near)},
                     {{"frame_name", info.name},
                      {"parallel_iterations", info.parallel_iterations},
                      {"is_constant", true}},
                     near);
    Subgraph::Item inside{.node = &enter};
    inside.inputs.push_back(value(edge, part, info.parent, reader, kind));
    const int position = push(part, std::move(inside));
    return entered_[std::tuple(edge.item, part, loop, kind)] = position;
  }

  // A value that says nothing but that it is there.
  const Node& signal(const std::string& name, const Node& near) {
    return helpers_.add("Const", name, {},
                        {{"dtype", DType::f32}, {"value", Tensor(DType::f32, {0})}}, near);
  }

  // What a node in `part` that waits for `control` waits for there; -1: nothing.
  int waits_for(int control, int part, int loop, const Node& reader) {
    const Subgraph::Item& source = graph_.items[at(control)];
    if (!source.is_plain()) return -1;
    if (part_of(control) == part) return position_[at(control)];
    const auto [it, fresh] =
        received_.emplace(std::tuple(control, -1, part, memory_of(part), -1), -1);
    if (!fresh) return it->second;
    check_loop(control, loop, reader.name());
    Subgraph::Item sent{.node = &signal(source.node->name() + "/ctrl", *source.node)};
    sent.controls.push_back(position_[at(control)]);
    const int constant = push(part_of(control), std::move(sent));
    const int received = transfer({constant, 0}, DType::f32, control, part, loop, reader.name(),
                                  memory_of(part_of(control)), memory_of(part));
    const Node& pass = helpers_.add("Identity", source.node->name(),
                                    {helpers_.any(DType::f32, *source.node)}, {}, *source.node);
    Subgraph::Item identity{.node = &pass};
    identity.inputs.push_back({received, 0});
    it->second = push(part, std::move(identity));
    return it->second;
  }

  void check_loop(int source, int loop, const std::string& reader) const {
    require(loops_.arrives[at(source)] == loop, "The node '", reader,
            "' has inputs from different frames. The input '",
            graph_.items[at(source)].node->name(), "' is in frame '",
            loops_.loops[at(loops_.arrives[at(source)])].name, "', the node in '",
            loops_.loops[at(loop)].name, "'.");
  }

  MemoryKind memory_of(int part) const { return memory_.of_device(partitions_[at(part)].device); }

  // The op that sends from, or receives in, such memory in `part`.
  std::string transfer_op(const char* what, int part, MemoryKind kind) const {
    return str_cat(kind == memory_of(part) || is_left_there(part, kind) ? "_" : "_Host", what);
  }
  // Who receives it takes it wherever it is.
  bool is_left_there(int part, MemoryKind kind) const {
    return kind == MemoryKind::device && memory_of(part) == MemoryKind::host;
  }

  // Sends `edge` of the part of `source` to `part`; returns the item that receives it. A variable
  // is read when it is sent: after what the item `ordered` waits for, if that is one.
  int transfer(Subgraph::Edge edge, DType type, int source, int part, int loop,
               const std::string& reader, MemoryKind sent_from, MemoryKind received_in,
               int ordered = -1) {
    const Subgraph::Item& item = graph_.items[at(source)];
    const int from = part_of(source);
    const std::string name = item_name(item);
    AttrMap attrs{{"tensor_name", str_cat("edge_", next_edge_++, "_", name)},
                  {"send_device", device_of(from)},
                  {"send_device_incarnation", incarnation(partitions_[at(from)].device)},
                  {"recv_device", device_of(part)},
                  {"client_terminated", false},
                  {"_src", name},
                  {"_dst", reader}};
    attrs.emplace("T", type);
    if (received_in == MemoryKind::device && is_node(item, kFillsVariables))
      attrs.emplace(kWantedOn, device_of(part));
    Subgraph::Item sent{.node = &helpers_.add(transfer_op("Send", from, sent_from), name,
                                              {helpers_.any(type, *item.node)}, attrs, *item.node)};
    sent.inputs.push_back(edge);
    if (ordered >= 0)
      for (const int control : graph_.items[at(ordered)].controls)
        if (const int before = waits_for(control, from, loop, *graph_.items[at(ordered)].node);
            before >= 0)
          sent.controls.push_back(before);
    const int sender = push(from, std::move(sent));
    attrs.erase("T");
    attrs.erase(std::string(kWantedOn));
    attrs.emplace("tensor_type", type);
    if (is_left_there(part, received_in)) attrs.emplace(kLeftThere, true);
    Subgraph::Item received{.node = &helpers_.add(transfer_op("Recv", part, received_in), name, {},
                                                  std::move(attrs), *item.node)};
    if (from == part) {  // in whichever branch and iteration it is sent
      received.controls.push_back(sender);
      return push(part, std::move(received));
    }
    if (loop != 0) received.controls.push_back(control_loop(part, loop, *item.node).merge);
    return push(part, std::move(received));
  }

  const ControlLoop& control_loop(int part, int loop, const Node& near) {
    auto& known = loops_of_part_[at(part)];
    if (const auto it = known.find(loop); it != known.end()) return it->second;
    const LoopTree::Loop& info = loops_.loops[at(loop)];
    const int start = info.parent == 0 ? push(part, {.node = &signal(near.name(), near)})
                                       : control_loop(part, info.parent, near).merge;
    const Node& enter = helpers_.add(
        "Enter", "_cloop" + near.name(), {helpers_.any(DType::f32, near)},
        {{"frame_name", info.name}, {"parallel_iterations", info.parallel_iterations}}, near);
    Subgraph::Item entered{.node = &enter};
    entered.inputs.push_back({start, 0});
    const Output value = HelperNodes::output(enter);
    const Node& merge = helpers_.add("Merge", "_cloop" + near.name(), {value, value}, {}, near);
    Subgraph::Item merged{.node = &merge};
    merged.inputs = {{push(part, std::move(entered)), 0}, {}};
    return known.emplace(loop, ControlLoop{push(part, std::move(merged)), &merge, &near})
        .first->second;
  }

  // Whatever a partition runs inside a loop has to iterate with it, be it on constants and
  // variables of its own.
  void drive_loops() {
    std::map<std::pair<int, int>, int> undriven;  // part and loop: one of its items
    for (std::size_t i = 0; i < graph_.items.size(); ++i)
      if (graph_.items[i].is_plain() && loops_.loops[at(loops_.runs_in[i])].condition.item >= 0)
        undriven.emplace(std::pair(part_of(static_cast<int>(i)), loops_.runs_in[i]),
                         static_cast<int>(i));
    for (std::size_t i = 0; i < graph_.items.size(); ++i)
      if (is_node(graph_.items[i], kNextIteration))
        undriven.erase({part_of(static_cast<int>(i)), loops_.runs_in[i]});
    for (const auto& [where, item] : undriven)
      control_loop(where.first, where.second, *graph_.items[at(item)].node);
  }

  // The second half of each control loop, once every item has its place. Receiving a condition may
  // ask for the control loop around, hence the walk over a list that may grow.
  void close_loops() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t p = 0; p < partitions_.size(); ++p) {
        for (const auto& [loop, control] : std::map(loops_of_part_[p])) {
          if (!closed_.emplace(static_cast<int>(p), loop).second) continue;
          close_loop(static_cast<int>(p), loop, control);
          again = true;
        }
      }
    }
    for (const BackEdge& edge : back_edges_) {
      require(part_of(edge.from.item) == edge.part, "the loop of '",
              graph_.items[at(edge.from.item)].node->name(), "' is closed on another device");
      graph_of(edge.part).items[at(edge.position)].inputs[at(edge.input)] = {
          position_[at(edge.from.item)], edge.from.output};
    }
  }

  void close_loop(int part, int loop, const ControlLoop& control) {
    const Subgraph::Edge condition = loops_.loops[at(loop)].condition;
    require(condition.item >= 0,
            "A cross-device loop must have a pivot predicate: ", loops_.loops[at(loop)].name);
    const Node& near = *control.near;
    const std::string name = "_cloop" + near.name();
    const Node& gate = helpers_.add(
        "Switch", name,
        {HelperNodes::output(*control.merge_node), helpers_.any(DType::boolean, near)}, {}, near);
    Subgraph::Item switched{.node = &gate};
    switched.inputs = {{control.merge, 0},
                       value(condition, part, loop, gate.name(), MemoryKind::host)};
    const Node& next =
        helpers_.add("NextIteration", name, {HelperNodes::output(gate, 1)}, {}, near);
    Subgraph::Item again{.node = &next};
    again.inputs.push_back({push(part, std::move(switched)), 1});
    const int position = push(part, std::move(again));
    graph_of(part).items[at(control.merge)].inputs[1] = {position, 0};
  }

  void add_fetches() {
    for (std::size_t i = 0; i < graph_.fetches.size(); ++i) {
      const Subgraph::Edge& fetch = graph_.fetches[i];
      const std::string name = graph_.items[at(fetch.item)].node->name();
      require(loops_.arrives[at(fetch.item)] == 0, "cannot fetch '", name,
              "', which is inside a loop");
      const MemoryKind kind =
          client_.results_on_host ? MemoryKind::host : client_kind(base_type(graph_.dtype(fetch)));
      const Subgraph::Edge local =
          value(fetch, 0, 0, str_cat("_retval_", name, "_", fetch.output, "_", i), kind);
      if (client_.by_rendezvous) {
        send_fetch(local, i);
      } else {
        partitions_[0].graph.fetches.push_back(local);
      }
    }
  }

  const Subgraph& graph_;
  const std::span<const std::string> devices_;
  const ClientValues& client_;
  const ArgumentMemory& memory_;
  const LoopTree loops_;
  HelperNodes helpers_;
  std::vector<Partition> partitions_;
  std::map<int, int> part_of_device_;
  std::vector<int> position_;                               // per item: where it is in its part
  std::map<std::tuple<int, int, MemoryKind>, int> copies_;  // item, part, memory
  // Item, output (-1: control), part, memory, the reader of a variable (-1: any).
  std::map<std::tuple<int, int, int, MemoryKind, int>, int> received_;
  std::map<std::tuple<int, int, int, MemoryKind>, int> entered_;  // item, part, loop, memory
  std::vector<std::map<int, ControlLoop>> loops_of_part_;
  std::set<std::pair<int, int>> closed_;  // part and loop whose control loop is whole
  std::vector<BackEdge> back_edges_;
  int next_edge_ = 0;
};

}  // namespace

PartitionedGraph partition(const Subgraph& graph, std::span<const std::string> devices,
                           const Registry& registry, const ClientValues& client,
                           const ArgumentMemory& memory) {
  return Partitioner(graph, devices, registry, client, memory).run();
}

}  // namespace rill
