"""tf.saved_model.save: an object with its variables and functions as a SavedModel."""

import inspect
import os

import rill as tf
from rill import _rill, _structured_values as structures, _trackable
from rill._checkpoint import _session
from rill._function import BoundFunction, Function
from rill._tracing import _Trace
from rill.proto import module

_OBJECTS = module("tensorflow/core/protobuf/saved_object_graph.proto")
_MODEL = module("tensorflow/core/protobuf/saved_model.proto")
_DEFAULT = "serving_default"


def _methods(obj):
    """The functions of an object that say what their arguments are, by name."""
    found = {}
    for name in sorted({*dir(type(obj)), *vars(obj)}):
        value = inspect.getattr_static(obj, name, None)
        if isinstance(value, Function) and value.input_signature is not None:
            found[name] = value if name in vars(obj) else value.__get__(obj, type(obj))
    return found


def _signatures(obj, given):
    if given is None:
        methods = _methods(obj)
        return {_DEFAULT: next(iter(methods.values()))} if len(methods) == 1 else {}
    given = given if isinstance(given, dict) else {_DEFAULT: given}
    for function in given.values():
        if not isinstance(function, (Function, BoundFunction)) or function.input_signature is None:
            raise ValueError("Expected a TensorFlow function to generate a signature for, but got "
                             f"{function}. Only `tf.functions` with an input signature or concrete functions can be "
                             "used as a signature.")
    return given


class _Traced:
    """A function as it is saved: its body, and the variables that this uses."""

    def __init__(self, function, name):
        converted = function._converted()

        def body(*args):
            return converted(*args)
        body.__name__ = name
        self.specs = list(function.input_signature)
        self.arguments = [name for name in inspect.signature(function.python_function).parameters][:len(self.specs)]
        self.names = [spec.name or name for spec, name in zip(self.specs, self.arguments)]
        self.trace = _Trace(body, self.specs, lambda arguments: (list(arguments), {}))
        places = [_Place(i, dtype) for i, dtype in enumerate(self.trace._types)]
        self.results = self.trace._rebuild(iter(places))
        self.structure = self.trace._rebuild(iter(tf.TensorSpec(None, place.dtype) for place in places))

    @property
    def name(self):
        return self.trace._function.name

    @property
    def outputs(self):
        return _named(self.results)

    def captured(self):
        return list(self.trace._captured)


class _Place:
    """Which of the results of a function stands there."""

    def __init__(self, index, dtype):
        self.index, self.dtype = index, dtype


def _named(outputs):
    """The results by name, as signatures have them."""
    if outputs is None:
        return {}
    if isinstance(outputs, (list, tuple)):
        outputs = {f"output_{number}": place for number, place in enumerate(outputs)}
    elif not isinstance(outputs, dict):
        outputs = {"output_0": outputs}
    for name, place in outputs.items():
        if not isinstance(place, _Place):
            raise ValueError(f"Got a non-Tensor value for key '{name}' in the output of a function used to generate a "
                             "SavedModel signature. Outputs for functions used as signatures must be one Tensor, a "
                             "sequence of Tensors, or a dictionary from string to Tensor.")
    return outputs


class _Copy:
    """The variables of an object in another graph, and its functions with these."""

    def __init__(self, variables, values):
        self.variables = {}
        for (_, variable), value in zip(variables, values):
            copy = tf.Variable(value, name=variable.op.name, dtype=variable.dtype.base_dtype, use_resource=True,
                               trainable=variable.trainable)
            self.variables[variable.op.name] = copy

    def capture(self, tensor):
        """What stands for a tensor of the first graph."""
        op = tensor.op
        if op.name in self.variables and tensor.dtype == tf.resource:
            return self.variables[op.name].handle
        if op.type in ("Identity", "ReadVariableOp") and op.inputs[0].op.name in self.variables:
            return self.variables[op.inputs[0].op.name].read_value()
        value = tf.get_static_value(tensor)
        if value is None:
            raise ValueError(f"Tried to export a function which references the untracked object {tensor}. TensorFlow "
                             "objects (e.g. tf.Variable) captured by functions must be 'tracked' by assigning them to "
                             "an attribute of a tracked object or assigned to an attribute of the main object "
                             "directly.")
        return tf.constant(value)

    def signature(self, key, traced):
        """The nodes of a signature, and its message."""
        inputs = {name: tf.placeholder(spec.dtype, spec.shape, name=f"{key}_{name}")
                  for name, spec in zip(traced.names, traced.specs)}
        traced.trace._function.add_to_graph(_rill.get_default_graph())
        made = tf.raw_ops.StatefulPartitionedCall(
            args=[*inputs.values(), *(self.capture(tensor) for tensor in traced.captured())],
            Tout=traced.trace._types, f=traced.name)
        outputs = {name: made[place.index] for name, place in traced.outputs.items()}
        return tf.saved_model.predict_signature_def(inputs, outputs)


# --- the objects as a message ---------------------------------------------------------------------

def _argument_spec(arguments, message):
    """What inspect.getfullargspec says of a function of these arguments."""
    message.fullargspec.named_tuple_value.name = "FullArgSpec"
    spec = {"args": list(arguments), "varargs": None, "varkw": None, "defaults": None, "kwonlyargs": [],
            "kwonlydefaults": None, "annotations": {}}
    for key, value in spec.items():
        pair = message.fullargspec.named_tuple_value.values.add()
        pair.key = key
        structures.encode(value, pair.value)


class _ObjectGraph:
    """The objects below one, and functions beside them."""

    def __init__(self, root, methods, signatures):
        self.message = _OBJECTS.SavedObjectGraph()
        self._numbers, self._objects = {}, []
        self._number(root)
        for number, obj in enumerate(self._objects):  # which grows meanwhile
            self._describe(number, obj)
        for name, traced in methods.items():
            self._add_method(name, traced)
        self._add_signatures(signatures)

    def _number(self, obj):
        if id(obj) not in self._numbers:
            self._numbers[id(obj)] = len(self._objects)
            self._objects.append(obj)
            self.message.nodes.add()
        return self._numbers[id(obj)]

    def _describe(self, number, obj):
        if isinstance(obj, tf.Variable):
            saved = self.message.nodes[number].variable
            saved.dtype, saved.trainable = obj.dtype.base_dtype.as_datatype_enum, obj.trainable
            saved.shape.CopyFrom(obj.shape.as_proto())
            saved.name = obj.op.name
            return
        kind = ("trackable_list_wrapper" if isinstance(obj, list) else
                "trackable_dict_wrapper" if isinstance(obj, dict) else "_generic_user_object")
        self._user_object(self.message.nodes[number], kind)
        for name, part in _trackable.children(obj):
            self._child(number, name, self._number(part))

    @staticmethod
    def _user_object(node, identifier):
        node.user_object.identifier = identifier
        node.user_object.version.producer = node.user_object.version.min_consumer = 1

    def _child(self, number, name, child):
        self.message.nodes[number].children.add(node_id=child, local_name=name)

    def _new(self):
        self.message.nodes.add()
        return len(self.message.nodes) - 1

    def _concrete(self, traced, signature, results):
        by_name = {obj.op.name: number for number, obj in enumerate(self._objects) if isinstance(obj, tf.Variable)}
        bound = [by_name.get(tensor.op.name) for tensor in traced.captured()]
        if None in bound:  # tensors by value have no object; such a function is in the signatures alone
            return False
        concrete = self.message.concrete_functions[traced.name]
        concrete.bound_inputs[:] = bound
        structures.encode(signature, concrete.canonicalized_input_signature)
        structures.encode(results, concrete.output_signature)
        return True

    def _add_method(self, name, traced):
        specs = [tf.TensorSpec(spec.shape, spec.dtype, given) for spec, given in zip(traced.specs, traced.names)]
        if not self._concrete(traced, (tuple(specs), {}), traced.structure):
            return
        number = self._new()
        function = self.message.nodes[number].function
        function.concrete_functions.append(traced.name)
        function.function_spec.is_method = False
        _argument_spec(traced.arguments, function.function_spec)
        structures.encode(tuple(specs), function.function_spec.input_signature)
        self._child(0, name, number)

    def _add_signatures(self, signatures):
        holder = self._new()
        self._user_object(self.message.nodes[holder], "signature_map")
        self._child(0, "signatures", holder)
        for key, traced in signatures.items():
            specs = {given: tf.TensorSpec(spec.shape, spec.dtype, given)
                     for spec, given in zip(traced.specs, traced.names)}
            results = {name: tf.TensorSpec(None, place.dtype, name) for name, place in traced.outputs.items()}
            if not self._concrete(traced, ((), specs), results):
                continue
            number = self._new()
            bare = self.message.nodes[number].bare_concrete_function
            bare.concrete_function_name = traced.name
            bare.argument_keywords.extend(traced.names)
            bare.allowed_positional_arguments = len(traced.names)
            self._child(holder, key, number)


def _with_objects(path, objects):
    """Puts the objects into the file of a model."""
    model = _MODEL.SavedModel()
    with open(path, "rb") as file:
        model.ParseFromString(file.read())
    model.meta_graphs[0].object_graph_def.CopyFrom(objects)
    with open(path, "wb") as file:
        file.write(model.SerializeToString(deterministic=True))


def save(obj, export_dir, signatures=None):
    """Writes an object: its variables as a checkpoint, its functions, and signatures for serving."""
    export_dir = os.fspath(export_dir)
    if not _trackable.is_trackable(obj):
        raise ValueError("Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` "
                         f"class, for export. Got {obj} with type {type(obj)}.")
    if tf.executing_eagerly():
        from rill.saved_model import _saving_eagerly
        return _saving_eagerly.save(obj, export_dir, signatures)
    session = _session()
    with session.graph.as_default():
        signed = {key: _Traced(function, f"signature_wrapper_{key}")
                  for key, function in _signatures(obj, signatures).items()}
        methods = {name: _Traced(function, name) for name, function in _methods(obj).items()}
    variables = _rill.object_variables(obj)
    values = session.run([variable for _, variable in variables])
    objects = _ObjectGraph(obj, methods, signed).message
    with tf.Graph().as_default(), tf.Session() as other:
        copy = _Copy(variables, values)
        signature_map = {key: copy.signature(key, traced) for key, traced in signed.items()}
        for traced in methods.values():
            traced.trace._function.add_to_graph(_rill.get_default_graph())
        other.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(export_dir)
        saver = tf.train.Saver({key: copy.variables[variable.op.name] for key, variable in variables}, allow_empty=True)
        builder.add_meta_graph_and_variables(other, ["serve"], signature_map, saver=saver)
        path = builder.save()
    _with_objects(path, objects)
    _rill.ObjectSaverCore(obj).save(session, os.path.join(export_dir, "variables", "variables"))
