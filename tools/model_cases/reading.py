"""Asks files that TensorFlow or Rill wrote: the answers must not depend on who wrote and who reads.

A question tells what the files of a case are and what to do with them; `answer` does it with whichever
of the two is imported as TensorFlow, and returns what JSON can hold.
"""
import base64

import numpy as np
import tensorflow.compat.v1 as tf
from google.protobuf import json_format, text_format


def described(value):
    """A value that a step returned, with its type."""
    array = np.asarray(value, object) if isinstance(value, (bytes, str)) else np.asarray(value)
    if array.dtype.kind in "OSU":
        data = [base64.b64encode(item if isinstance(item, bytes) else item.encode()).decode()
                for item in array.ravel().tolist()]
        return {"dtype": "object", "shape": list(array.shape), "data": data}
    if array.dtype.names:  # Rill's bfloat16, for which NumPy has no type
        bits = array.view(np.uint16).astype(np.uint32) << 16
        return dict(described(bits.view(np.float32).reshape(array.shape)), dtype="bfloat16")
    return {"dtype": str(array.dtype), "shape": list(array.shape),
            "data": [_number(item) for item in array.ravel().tolist()]}


def _number(item):
    if isinstance(item, complex):
        return [item.real, item.imag]
    if isinstance(item, (bool, int)):
        return item
    return float(item) if np.isfinite(item) else repr(float(item))  # JSON has no NaN


def restored(found):
    """The array that `described` was given."""
    if found["dtype"] == "object":
        flat = np.array([base64.b64decode(item) for item in found["data"]], object)
    elif found["dtype"].startswith("complex"):
        flat = np.array([complex(*item) for item in found["data"]], found["dtype"])
    else:
        plain = "float32" if found["dtype"] == "bfloat16" else found["dtype"]
        flat = np.array([float(item) if isinstance(item, str) else item for item in found["data"]], plain)
    return flat.reshape(found["shape"])


# --- checkpoints -----------------------------------------------------------------------------


def answer_checkpoint(folder, question):
    """All tensors of a checkpoint, and parts of some: `slices` are (name, shape_and_slice)."""
    prefix = str(folder / question["prefix"])
    reader = tf.train.load_checkpoint(prefix)
    shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    tensors = {name: [types[name].name, list(shapes[name]), described(reader.get_tensor(name))]
               for name in sorted(shapes) if name not in question.get("opaque", ())}
    parts = []
    with tf.Graph().as_default(), tf.Session() as session:
        for name, spec in question.get("slices", ()):
            parts.append(described(session.run(tf.raw_ops.RestoreV2(
                prefix=prefix, tensor_names=[name], shape_and_slices=[spec], dtypes=[types[name]]))[0]))
    return {"tensors": tensors, "slices": parts,
            "listed": [[name, list(shape)] for name, shape in tf.train.list_variables(prefix)]}


def answer_state(folder, question):
    """The state file of a directory."""
    state = tf.train.get_checkpoint_state(str(folder), question.get("latest_filename"))
    names = [state.model_checkpoint_path, *state.all_model_checkpoint_paths]
    return {"paths": [name.removeprefix(f"{folder}/") for name in names],
            "exist": [tf.train.checkpoint_exists(name) for name in names]}


# --- graphs ----------------------------------------------------------------------------------


def run_steps(session, steps):
    """The values of the fetches of each step, fed and run one after the other."""
    values = []
    for step in steps:
        targets = [session.graph.get_operation_by_name(name) for name in step.get("targets", ())]
        feeds = {name: restored(value) for name, value in step.get("feeds", {}).items()}
        fetched, _ = session.run((step.get("fetches", []), targets), feeds)
        values.append([described(value) for value in fetched])
    return values


def answer_meta_graph(folder, question):
    """A meta graph is imported and run; `gradients` are taken of what was imported."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver = tf.train.import_meta_graph(str(folder / question["meta"]),
                                           clear_devices=question.get("clear_devices", False))
        added = [tf.gradients(graph.get_tensor_by_name(y), graph.get_tensor_by_name(x))[0].name
                 for y, x in question.get("gradients", ())]
        if question.get("prefix"):
            saver.restore(session, str(folder / question["prefix"]))
        steps = [dict(step, fetches=step.get("fetches", []) + added if i + 1 == len(question["steps"])
                      else step.get("fetches", [])) for i, step in enumerate(question["steps"])]
        return {"values": run_steps(session, steps),
                "collections": {key: [getattr(item, "name", str(item)) for item in graph.get_collection(key)]
                                for key in question.get("collections", ())}}


def answer_graph(folder, question):
    """A GraphDef is imported and run."""
    graph_def, data = tf.GraphDef(), (folder / question["file"]).read_bytes()
    if question["file"].endswith("txt"):
        text_format.Parse(data.decode(), graph_def)
    else:
        graph_def.ParseFromString(data)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        return {"values": run_steps(session, question["steps"])}


# --- SavedModels -----------------------------------------------------------------------------


def answer_saved_model(folder, question):
    """Signatures of a SavedModel are called."""
    with tf.Graph().as_default(), tf.Session() as session:
        meta = tf.saved_model.loader.load(session, question["tags"], str(folder / question.get("path", "")))
        calls = [call_signature(session, meta.signature_def[call["signature"]], call["feeds"])
                 for call in question["calls"]]
        return {"signatures": {key: json_format.MessageToDict(found) for key, found
                               in sorted(meta.signature_def.items()) if not key.startswith("__")},
                "calls": calls, "steps": run_steps(session, question.get("steps", ()))}


def call_signature(session, signature, feeds):
    feeds = {signature.inputs[key].name: restored(value) for key, value in feeds.items()}
    fetches = {}
    for key, output in signature.outputs.items():
        sparse = output.coo_sparse
        fetches[key] = [sparse.indices_tensor_name, sparse.values_tensor_name, sparse.dense_shape_tensor_name] \
            if output.WhichOneof("encoding") == "coo_sparse" else [output.name]
    return {key: [described(value) for value in values]
            for key, values in sorted(session.run(fetches, feeds).items())}


# --- events and records ----------------------------------------------------------------------


def answer_events(folder, question):
    """The events of files, but for times, versions and how pictures are packed."""
    return {"events": [event_facts(event) for path in sorted(folder.glob(question["file"]))
                       for event in tf.train.summary_iterator(str(path))]}


def event_facts(event):
    facts = json_format.MessageToDict(event, preserving_proto_field_name=True)
    facts.pop("source_metadata", None)  # these two are of TensorFlow 2
    for value in facts.get("summary", {}).get("value", ()):
        value.get("metadata", {}).pop("data_class", None)
    if event.wall_time > 1e9:
        del facts["wall_time"]
    if event.HasField("graph_def"):
        facts["graph_def"] = nodes_of(tf.GraphDef.FromString(event.graph_def))
    if event.HasField("meta_graph_def"):
        facts["meta_graph_def"] = nodes_of(tf.MetaGraphDef.FromString(event.meta_graph_def).graph_def)
    if event.HasField("tagged_run_metadata"):
        metadata = tf.RunMetadata.FromString(event.tagged_run_metadata.run_metadata)
        facts["tagged_run_metadata"]["run_metadata"] = json_format.MessageToDict(metadata)
    for value, message in zip(facts.get("summary", {}).get("value", ()), event.summary.value):
        if message.HasField("image"):
            value["image"]["encoded_image_string"] = pixels_of(message.image.encoded_image_string)
    return facts


def nodes_of(graph_def):
    return [[node.name, node.op, *node.input] for node in graph_def.node]


def pixels_of(encoded):
    with tf.Graph().as_default(), tf.Session() as session:
        return described(session.run(tf.image.decode_png(encoded)))


def answer_embeddings(folder, question):
    """What the projector is told to show."""
    from model_cases.board_summaries import projector
    text = (folder / question["folder"] / "projector_config.pbtxt").read_text()
    return {"config": json_format.MessageToDict(text_format.Parse(text, projector().ProjectorConfig()))}


def answer_records(folder, question):
    """The records of a file."""
    options = tf.io.TFRecordOptions(question.get("compression", ""))
    records = list(tf.io.tf_record_iterator(str(folder / question["file"]), options))
    found = {"records": [base64.b64encode(record).decode() for record in records]}
    if kind := question.get("message"):
        found["messages"] = [json_format.MessageToDict(getattr(tf.train, kind).FromString(record))
                             for record in records]
        del found["records"]  # maps have no order
    return found


def answer_objects(folder, question):
    """Objects made anew and restored, and the checkpoint's tensors."""
    from model_cases import objects
    tensors = answer_checkpoint(folder, {**question, "opaque": ["_CHECKPOINTABLE_OBJECT_GRAPH"]})
    with tf.Graph().as_default():
        read = getattr(objects, f"read_{question['program']}")
        return {**tensors, "restored": read(str(folder / question["prefix"]))}


def answer_calls(folder, question):
    """What calls of functions for files return."""
    from model_cases import files
    return {"results": files.run(question["program"], question["in_memory"])}


KINDS = {"checkpoint": answer_checkpoint, "state": answer_state, "meta_graph": answer_meta_graph,
         "graph": answer_graph, "saved_model": answer_saved_model, "events": answer_events,
         "embeddings": answer_embeddings,
         "records": answer_records, "calls": answer_calls,
         "objects": answer_objects}


def answer(folder, question):
    return KINDS[question["kind"]](folder, question)


# --- comparing -------------------------------------------------------------------------------

RTOL = {"float16": 2e-3, "bfloat16": 1e-2}


def difference(got, want, place="answer"):
    """What differs between two answers, or None; numbers of values may differ in their last digits."""
    if isinstance(want, dict) and "data" in want and "dtype" in want:
        return value_difference(got, want, place)
    if isinstance(want, dict) and isinstance(got, dict):
        if sorted(got) != sorted(want):
            return f"{place} has {sorted(got)} instead of {sorted(want)}"
        pairs = [(got[key], want[key], f"{place}/{key}") for key in want]
    elif isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        pairs = [(a, b, f"{place}/{i}") for i, (a, b) in enumerate(zip(got, want))]
    else:
        same = got == want or (isinstance(want, float) and np.isclose(got, want, 1e-5, 1e-7))
        return None if same else f"{place} is {str(got)[:300]} instead of {str(want)[:300]}"
    return next((found for pair in pairs if (found := difference(*pair))), None)


def value_difference(got, want, place):
    if not isinstance(got, dict) or (got["dtype"], got["shape"]) != (want["dtype"], want["shape"]):
        return f"{place} is {str(got)[:200]} instead of {str(want)[:200]}"
    a, b = restored(got), restored(want)
    if a.dtype.kind in "fc":
        same = np.allclose(a, b, rtol=RTOL.get(want["dtype"], 1e-5), atol=1e-6, equal_nan=True)
    else:
        same = np.array_equal(a, b)
    return None if same else f"{place} is {a.ravel()[:6]} instead of {b.ravel()[:6]}"
