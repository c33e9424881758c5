#pragma once

#include <string>
#include <vector>

#include "rill/proto/messages_fwd.h"
#include "rill/tensor/dtype.h"

// TensorFlow's modules strip_unused_lib and optimize_for_inference_lib.
namespace rill::graph_transforms {

// What the outputs need, with placeholders in the place of the inputs; `types` has one type, or one
// for each input. Throws InvalidArgument for the name of a tensor, NotFound for nodes that are not
// there.
tensorflow::GraphDef strip_unused(const tensorflow::GraphDef& graph,
                                  const std::vector<std::string>& input_node_names,
                                  const std::vector<std::string>& output_node_names,
                                  const std::vector<DType>& types);

// strip_unused, then without nodes of training, with batch normalization in the weights and, unless
// `toco_compatible`, enlarging in the convolutions. Throws InvalidArgument for graphs with missing
// inputs or names that come twice.
tensorflow::GraphDef optimize_for_inference(const tensorflow::GraphDef& graph,
                                            const std::vector<std::string>& input_node_names,
                                            const std::vector<std::string>& output_node_names,
                                            const std::vector<DType>& types,
                                            bool toco_compatible = false);

void ensure_graph_is_valid(const tensorflow::GraphDef& graph);

}  // namespace rill::graph_transforms
