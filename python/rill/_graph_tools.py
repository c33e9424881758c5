"""TensorFlow's tools over graphs, models and checkpoints in files, as its modules offer them to programs."""

import os
import re

from rill import _rill, graph_util


def _list(names):
    """A list, or its items with commas between them."""
    if isinstance(names, str):
        return [name for name in names.replace(" ", "").split(",") if name]
    return list(names or [])


def _types(types):
    return [int(item) for item in (types if isinstance(types, (list, tuple)) else [types])]


def TransformGraph(input_graph_def, inputs, outputs, transforms):
    """The graph after these transforms, given as transform_graph's command line has them."""
    graph_util._check(input_graph_def)
    return type(input_graph_def).FromString(_rill.transform_graph(
        input_graph_def.SerializeToString(), list(inputs), list(outputs), list(transforms)))


def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """What the outputs need, with placeholders in the place of the inputs."""
    graph_util._check(input_graph_def)
    return type(input_graph_def).FromString(_rill.strip_unused(
        input_graph_def.SerializeToString(), list(input_node_names), list(output_node_names),
        _types(placeholder_type_enum)))


def optimize_for_inference(input_graph_def, input_node_names, output_node_names, placeholder_type_enum,
                           toco_compatible=False):
    """The graph without what only training needs, batch normalization in the weights."""
    graph_util._check(input_graph_def)
    return type(input_graph_def).FromString(_rill.optimize_for_inference(
        input_graph_def.SerializeToString(), list(input_node_names), list(output_node_names),
        _types(placeholder_type_enum), bool(toco_compatible)))


def fold_batch_norms(input_graph_def):
    """Batch normalization in the weights of the convolutions before it."""
    return TransformGraph(input_graph_def, [], [], ["fold_old_batch_norms"])


def fuse_resize_and_conv(input_graph_def, output_node_names):
    """Enlarging and mirroring as part of the convolutions behind them."""
    return TransformGraph(input_graph_def, [], output_node_names, ["fuse_resize_and_conv"])


def read_graph(path, binary=None):
    """The GraphDef of a file; without `binary` either form is found out."""
    from google.protobuf import text_format
    from rill import GraphDef, gfile
    if not gfile.Exists(path):
        raise IOError(f"Input graph file '{path}' does not exist!")
    with gfile.GFile(path, "rb") as file:
        content = file.read()
    if binary is None:
        binary = not path.endswith(".pbtxt")
    return GraphDef.FromString(content) if binary else text_format.Parse(content, GraphDef())


def write_graph(graph_def, path, binary=True):
    """Writes a GraphDef, as bytes or as text."""
    from google.protobuf import text_format
    from rill import gfile
    content = graph_def.SerializeToString() if binary else text_format.MessageToString(graph_def)
    with gfile.GFile(path, "wb" if binary else "w") as file:
        file.write(content)


def strip_unused_from_files(input_graph, input_binary, output_graph, output_binary, input_node_names,
                            output_node_names, placeholder_type_enum):
    """strip_unused from one file to another."""
    if not os.path.exists(input_graph):
        print(f"Input graph file '{input_graph}' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    graph = strip_unused(read_graph(input_graph, input_binary), _list(input_node_names),
                         _list(output_node_names), placeholder_type_enum)
    write_graph(graph, output_graph, output_binary)
    print("%d ops in the final graph." % len(graph.node))
    return None


def freeze_graph(input_graph, input_saver, input_binary, input_checkpoint, output_node_names, restore_op_name,
                 filename_tensor_name, output_graph, clear_devices, initializer_nodes,
                 variable_names_whitelist="", variable_names_blacklist="", input_meta_graph=None,
                 input_saved_model_dir=None, saved_model_tags="serve", checkpoint_version=2):
    """Writes a graph with the values of its variables inside, and returns it."""
    del input_saver, input_binary, restore_op_name, filename_tensor_name, checkpoint_version  # found out
    from rill import GraphDef
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    for graph in filter(None, (input_graph, input_meta_graph)):
        if not input_saved_model_dir and not os.path.exists(graph):
            raise IOError(f"Input graph file '{graph}' does not exist!")
    graph = GraphDef.FromString(_rill.freeze_files(
        input_saved_model_dir or "", input_meta_graph or input_graph or "", input_checkpoint or "",
        _list(output_node_names), saved_model_tags, bool(clear_devices), _list(initializer_nodes),
        _list(variable_names_whitelist), _list(variable_names_blacklist)))
    if output_graph:
        write_graph(graph, output_graph)
    return graph


def _count_params(shapes, excluded):
    counted = {name: shape for name, shape in shapes.items() if not excluded or not re.search(excluded, name)}
    sizes = {name: _size(shape) for name, shape in shapes.items()}
    if excluded:
        left = [sizes[name] for name in shapes if name not in counted]
        print(f"# Excluding {len(left)} tensors ({sum(left)} params) that match {excluded} when counting.")
    print(f"# Total number of params: {sum(sizes[name] for name in counted)}")


def _size(shape):
    size = 1
    for dimension in shape:
        size *= dimension
    return size


def print_tensors_in_checkpoint_file(file_name, tensor_name, all_tensors, all_tensor_names=False,
                                     count_exclude_pattern=""):
    """Prints what a checkpoint holds: names, one tensor, or all of them."""
    from rill import errors
    try:
        reader = _rill.NewCheckpointReader(file_name)
    except (errors.OpError, ValueError) as error:
        print(error)
        return
    shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    if not (all_tensors or all_tensor_names or tensor_name):
        print(reader.debug_string().decode("utf-8", errors="ignore"))
        _count_params(shapes, count_exclude_pattern)
        return
    if tensor_name and not (all_tensors or all_tensor_names):
        if not reader.has_tensor(tensor_name):
            print(f"Tensor {tensor_name} not found in checkpoint")
            return
        names, with_values = [tensor_name], True
    else:
        names, with_values = sorted(shapes), all_tensors
    for name in names:
        print(f"tensor: {name} ({types[name].name}) {shapes[name]}")
        if with_values:
            print(reader.get_tensor(name))
    _count_params(shapes, count_exclude_pattern)


def read_saved_model(saved_model_dir):
    """The SavedModel message of a directory."""
    from google.protobuf import text_format
    from rill import gfile, proto
    SavedModel = proto.module("tensorflow/core/protobuf/saved_model.proto").SavedModel
    binary, text = (os.path.join(saved_model_dir, "saved_model." + end) for end in ("pb", "pbtxt"))
    if gfile.Exists(binary):
        with gfile.GFile(binary, "rb") as file:
            return SavedModel.FromString(file.read())
    if gfile.Exists(text):
        with gfile.GFile(text, "rb") as file:
            return text_format.Parse(file.read(), SavedModel())
    raise IOError(f"SavedModel file does not exist at: {saved_model_dir}/{{saved_model.pbtxt|saved_model.pb}}")


def get_saved_model_tag_sets(saved_model_dir):
    """The tags of every graph of a model."""
    return [list(graph.meta_info_def.tags) for graph in read_saved_model(saved_model_dir).meta_graphs]


def get_meta_graph_def(saved_model_dir, tag_set):
    """The graph of a model with exactly these tags, "a,b"."""
    for graph in read_saved_model(saved_model_dir).meta_graphs:
        if set(graph.meta_info_def.tags) == set(tag_set.split(",")):
            return graph
    raise RuntimeError(f"MetaGraphDef associated with tag-set {tag_set} could not be found in SavedModel")
