#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/inspect/debugger/debug_graph.h"
#include "rill/inspect/debugger/dump_datum.h"

namespace rill::debugger {

// Of the run, as the core metadata file tells it.
struct CoreMetadata {
  std::int64_t global_step = -1, session_run_index = 0, executor_step_index = 0;
  std::vector<std::string> input_names, output_names, target_nodes;
};

// Says of a dump whether it is one of those looked for.
using TensorFilter = std::function<bool(const DumpDatum& datum, const DumpedValue& value)>;

// What a run dumped: the tensors, the graphs of its devices, and what is known of the run. Written
// by Rill or by TensorFlow.
class DumpDir {
 public:
  // `graphs` stand in where the directory has none. `validate`: throws InvalidArgument when a node
  // that was dumped is in no graph, or was dumped before what it read. Throws NotFound when there
  // is no such directory.
  explicit DumpDir(const std::string& root, std::vector<tensorflow::GraphDef> graphs = {},
                   bool validate = true);

  const std::string& root() const { return root_; }
  const std::vector<DumpDatum>& data() const { return data_; }  // by time
  std::int64_t t0() const { return t0_; }                       // of the first dump
  std::vector<std::string> devices() const;
  const std::vector<CoreMetadata>& core_metadata() const { return core_metadata_; }
  // What the file of the fetches, or of the fed keys, says; one for each.
  const std::vector<std::string>& fetches_info() const { return fetches_; }
  const std::vector<std::string>& feed_keys_info() const { return feed_keys_; }

  const std::vector<std::shared_ptr<DebugGraph>>& graphs() const { return graphs_; }
  bool has_graphs() const { return !graphs_.empty(); }
  // The graph that has the node, on `device` or, with no device, the only one that has it. Throws
  // InvalidArgument when there is none, or several and no device is said.
  const DebugGraph& graph_of(const std::string& node, const std::string& device = "") const;
  const DebugGraph::Node& node(const std::string& name, const std::string& device = "") const;
  bool has_node(const std::string& name, const std::string& device = "") const;
  // Everything that the node depends on, in the order of a search in depth.
  std::vector<std::string> transitive_inputs(const std::string& node, bool controls,
                                             const std::string& device = "") const;
  // A shortest way from one node to another, both included; nothing if there is none.
  std::optional<std::vector<std::string>> find_path(const std::string& from, const std::string& to,
                                                    bool controls) const;

  // "node:slot:op" of what was dumped of a node, or all.
  std::vector<std::string> watch_keys(const std::string& node,
                                      const std::string& device = "") const;
  std::vector<const DumpDatum*> dumps_of(const std::string& watch_key,
                                         const std::string& device = "") const;
  // Those that pass, at most `first_n` if that is above 0; nodes that `exclude` matches at their
  // beginning are left out.
  std::vector<const DumpDatum*> find(const TensorFilter& filter, int first_n = 0,
                                     const std::string& device = "",
                                     const std::string& exclude = "") const;

 private:
  void load_tensors();
  void load_graphs(std::vector<tensorflow::GraphDef> graphs);
  void load_metadata();
  void check_causality(const DebugGraph& graph) const;

  const std::string root_;
  std::vector<DumpDatum> data_;
  std::vector<std::shared_ptr<DebugGraph>> graphs_;
  std::vector<CoreMetadata> core_metadata_;
  std::vector<std::string> fetches_, feed_keys_, device_directories_;
  std::int64_t t0_ = 0;
};

}  // namespace rill::debugger
