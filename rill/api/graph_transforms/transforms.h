#pragma once

#include "rill/api/graph_transforms/transform.h"

// The single transforms; transform.cc says what each is for.
namespace rill::graph_transforms {

// nodes.cc
tensorflow::GraphDef strip_unused_nodes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef remove_nodes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef remove_training_nodes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef remove_control_dependencies(tensorflow::GraphDef graph,
                                                 const Context& context);
tensorflow::GraphDef backport_concatv2(tensorflow::GraphDef graph, const Context& context);

// order.cc
tensorflow::GraphDef merge_duplicate_nodes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef sort_by_execution_order(tensorflow::GraphDef graph, const Context& context);

// labels.cc
tensorflow::GraphDef add_default_attributes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef obfuscate_names(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef remove_attribute(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef remove_device(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef rename_attribute(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef rename_node(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef rename_op(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef set_device(tensorflow::GraphDef graph, const Context& context);

// fold_branches.cc
tensorflow::GraphDef fold_branches(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef use_defaults(tensorflow::GraphDef graph, const Context& context);

// fold_constants.cc, fold_batch_norms.cc, fuse_resize_and_conv.cc, quantize_nodes.cc, weights.cc
tensorflow::GraphDef fold_constants(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef fold_batch_norms(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef fold_old_batch_norms(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef fuse_resize_and_conv(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef quantize_nodes(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef quantize_weights(tensorflow::GraphDef graph, const Context& context);
tensorflow::GraphDef round_weights(tensorflow::GraphDef graph, const Context& context);

}  // namespace rill::graph_transforms
