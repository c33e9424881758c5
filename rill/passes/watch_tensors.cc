#include "rill/passes/watch_tensors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "rill/base/error.h"
#include "rill/base/subscript.h"
#include "rill/passes/debug_op_text.h"
#include "rill/passes/helper_nodes.h"

namespace rill {
namespace {

constexpr int kClientDevice = 0;

// What is made of one output.
struct Wish {
  std::vector<std::string> ops, urls;
  bool tolerates_failures = false;

  void add(const TensorWatch& watch) {
    for (const std::string& op : watch.ops)
      if (std::ranges::find(ops, op) == ops.end()) ops.push_back(op);
    for (const std::string& url : watch.urls)
      if (std::ranges::find(urls, url) == urls.end()) urls.push_back(url);
    tolerates_failures |= watch.tolerates_failures;
  }
};

struct Wishes {
  std::map<std::string, Wish> named;  // by "node:slot"
  std::optional<Wish> others;

  explicit Wishes(const DebugOptions& options) {
    for (const TensorWatch& watch : options.watches) {
      if (watch.ops.empty() || watch.urls.empty()) continue;
      check(watch);
      if (watch.node != "*")
        named[str_cat(watch.node, ":", watch.slot)].add(watch);
      else
        (others ? *others : others.emplace()).add(watch);
    }
  }

  const Wish* of(const std::string& tensor) const {
    if (const auto it = named.find(tensor); it != named.end()) return &it->second;
    return others ? &*others : nullptr;
  }

 private:
  static void check(const TensorWatch& watch) {
    if (watch.node == "*" && watch.slot != -1)
      raise(Code::kFailedPrecondition, "If node_name is the wildcard \"*\", output_slot must be ",
            "-1, but is ", watch.slot);
    if (watch.node != "*" && watch.slot < 0)
      raise(Code::kFailedPrecondition, "A negative output_slot in DebugTensorWatch is valid only ",
            "for the wildcard node name (\"*\"), but got node name ", watch.node);
  }
};

// An edge between iterations: who waits for its debug ops would wait for the iteration before.
bool opens_iteration(const Subgraph::Item& item) {
  return item.is_plain() && (item.node->op().has(kEnter) || item.node->op().has(kNextIteration));
}

class Watcher {
 public:
  Watcher(Subgraph& graph, const DebugOptions& options, const WatchPlaces& places)
      : graph_(graph), wishes_(options), places_(places), nodes_(registry()) {}

  int watch() {
    if (wishes_.named.empty()) return 0;
    find_readers();
    const std::size_t count = graph_.items.size();
    int watched = 0;
    for (std::size_t i = 0; i < count; ++i) watched += watch_item(static_cast<int>(i));
    if (watched == 0) return 0;
    graph_.rewritten = nodes_.finish();
    sort_items(graph_);
    return watched;
  }

 private:
  const Registry& registry() const { return graph_.items.front().node->graph().registry(); }

  void find_readers() {
    readers_.resize(graph_.items.size());
    for (std::size_t i = 0; i < graph_.items.size(); ++i)
      for (const Subgraph::Edge& input : graph_.items[i].inputs)
        readers_[at(input.item)].push_back({static_cast<int>(i), input.output});
  }

  static std::string name_of(const Subgraph::Item& item) {
    if (item.feed < 0) return item.node->name();
    return str_cat("_arg_", item.node->name(), "_", item.constant_output, "_", item.feed);
  }

  int watch_item(int i) {
    const Subgraph::Item& item = graph_.items[at(i)];
    if (item.constant) return 0;
    const int outputs = item.feed >= 0 ? 1 : item.node->output_count();
    int watched = 0;
    for (int slot = 0; slot < outputs; ++slot)
      if (const Wish* wish = wishes_.of(str_cat(name_of(graph_.items[at(i)]), ":", slot)))
        watched += add({i, slot}, *wish) ? 1 : 0;
    return watched;
  }

  bool add(Subgraph::Edge output, const Wish& wish) {
    const int copy = add_copy(output, wish);
    std::vector<int> added;
    for (std::size_t k = 0; k < wish.ops.size(); ++k)
      if (const int node = add_debug_op(output, copy, wish, k); node >= 0) added.push_back(node);
    if (!waits(graph_.items[at(output.item)])) return true;
    for (const auto& [reader, slot] : readers_[at(output.item)])
      if (slot == output.output) {
        auto& controls = graph_.items[at(reader)].controls;
        controls.insert(controls.end(), added.begin(), added.end());
      }
    return true;
  }

  // What is fed may be read inside of loops, where the debug op is not.
  static bool waits(const Subgraph::Item& item) { return item.feed < 0 && !opens_iteration(item); }

  int push(const Node& node, Subgraph::Edge input, int device) {
    graph_.items.push_back({.node = &node, .inputs = {input}, .device = device});
    return static_cast<int>(graph_.items.size()) - 1;
  }

  DType type_of(Subgraph::Edge output) const {
    const Subgraph::Item& item = graph_.items[at(output.item)];
    return base_type(item.node->output_type(item.feed >= 0 ? item.constant_output : output.output));
  }

  int add_copy(Subgraph::Edge output, const Wish& wish) {
    const Subgraph::Item item = graph_.items[at(output.item)];
    const bool elsewhere = places_.has_own_memory(item.device);
    std::vector<std::string> specs;
    for (const std::string& op : wish.ops)
      for (const std::string& url : wish.urls)
        specs.push_back(str_cat(op, ";", url, ";", gates(op) ? 1 : 0));
    const DType type = type_of(output);
    const Node& copy = nodes_.add_named(
        elsewhere ? "CopyHost" : "Copy", str_cat("__copy_", name_of(item), "_", output.output),
        {nodes_.any(type, *item.node)}, {{"T", type}, {"debug_ops_spec", specs}}, *item.node);
    return push(copy, output, elsewhere ? kClientDevice : item.device);
  }

  static bool gates(const std::string& op) {
    const DebugOpText text = parse_debug_op(op);
    const auto it = text.attrs.find("gated_grpc");
    return it != text.attrs.end() && (lower(it->second) == "true" || it->second == "1");
  }

  int add_debug_op(Subgraph::Edge output, int copy, const Wish& wish, std::size_t k) {
    const Subgraph::Item item = graph_.items[at(output.item)];
    const DebugOpText text = parse_debug_op(wish.ops[k]);
    const std::string tensor = str_cat(name_of(item), ":", output.output);
    const Op* const op = registry().find(text.name);
    const DType type = type_of(output);
    if (op == nullptr || op->find_attr("debug_urls") == nullptr)
      return failed(wish, text.name, tensor, "there is no such debug op");
    AttrMap attrs = debug_op_attrs(text, *op);
    attrs["T"] = type;
    attrs["device_name"] = places_.devices[at(item.device)];
    attrs["tensor_name"] = tensor;
    attrs["debug_urls"] = wish.urls;
    const Node& node =
        nodes_.add_named(text.name, str_cat("__dbg_", tensor, "_", k, "_", text.name),
                         {nodes_.any(type, *item.node)}, std::move(attrs), *item.node);
    const Subgraph::Item made{.node = &node, .device = graph_.items[at(copy)].device};
    if (!places_.can_run(made))
      return failed(wish, text.name, tensor, str_cat("it takes no ", type));
    return push(node, {copy, 0}, made.device);
  }

  static int failed(const Wish& wish, const std::string& op, const std::string& tensor,
                    const std::string& why) {
    if (wish.tolerates_failures) return -1;
    raise(Code::kFailedPrecondition, "Failed to create debug node ", op, " for tensor ", tensor,
          ": ", why);
  }

  Subgraph& graph_;
  const Wishes wishes_;
  const WatchPlaces& places_;
  HelperNodes nodes_;
  std::vector<std::vector<std::pair<int, int>>> readers_;  // of each item: who, and which output
};

}  // namespace

int watch_tensors(Subgraph& graph, const DebugOptions& options, const WatchPlaces& places) {
  if (graph.items.empty()) return 0;
  return Watcher(graph, options, places).watch();
}

}  // namespace rill
