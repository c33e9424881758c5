#pragma once

#include <string_view>

#include "rill/graph/flow_context.h"

namespace tensorflow {
class CondContextDef;
class ControlFlowContextDef;
class WhileContextDef;
}  // namespace tensorflow

namespace rill {

// Branches and loops as MetaGraphs keep them, with everything inside. `scope` is the name scope
// that is exported, or imported to: names lose it, or get it; "" for all of the graph.
void export_flow(const CondContext& context, tensorflow::CondContextDef* def,
                 std::string_view scope = {});
void export_flow(const LoopContext& context, tensorflow::WhileContextDef* def,
                 std::string_view scope = {});

// Contexts for nodes that are in the graph already. They throw NotFound when a name means nothing
// in the graph.
CondContext& import_flow(Graph& graph, const tensorflow::CondContextDef& def,
                         std::string_view scope = {}, FlowContext* outer = nullptr);
LoopContext& import_flow(Graph& graph, const tensorflow::WhileContextDef& def,
                         std::string_view scope = {}, FlowContext* outer = nullptr);

}  // namespace rill
