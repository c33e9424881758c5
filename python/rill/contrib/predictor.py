"""tf.contrib.predictor: saved models and estimators as functions of arrays by name."""

from rill.errors import UnimplementedError

_KEY = "serving_default"


class Predictor:
    """A graph and its session, with the tensors that are fed and fetched by name."""

    def __init__(self, graph, session, feed_tensors, fetch_tensors):
        self._graph, self._session = graph, session
        self._feed_tensors, self._fetch_tensors = feed_tensors, fetch_tensors

    def __repr__(self):
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    @property
    def graph(self):
        """The graph of the model."""
        return self._graph

    @property
    def session(self):
        """The session that has its variables."""
        return self._session

    @property
    def feed_tensors(self):
        """What is fed, by name."""
        return self._feed_tensors

    @property
    def fetch_tensors(self):
        """What is fetched, by name."""
        return self._fetch_tensors

    def __call__(self, input_dict):
        """The outputs for arrays of inputs."""
        unknown = set(input_dict.keys()) - set(self.feed_tensors)
        if unknown:
            raise ValueError(f"Got unexpected keys in input_dict: {unknown}\nexpected: {set(self.feed_tensors)}")
        return self._session.run(self.fetch_tensors, {self.feed_tensors[name]: value
                                                      for name, value in input_dict.items()})


class SavedModelPredictor(Predictor):
    """One made of a SavedModel."""


class CoreEstimatorPredictor(Predictor):
    """One made of an estimator's latest checkpoint."""


def _names_of(given):
    return {name: info.name for name, info in given.items()}


def from_saved_model(export_dir, signature_def_key=None, signature_def=None, input_names=None, output_names=None,
                     tags=None, graph=None, config=None):
    """A predictor of a SavedModel: by a signature of its own or a given one, or by the names of tensors."""
    import rill as tf
    if (input_names is None) != (output_names is None):
        raise ValueError("input_names and output_names must both be specified or both be unspecified.")
    if sum(given is not None for given in (signature_def_key, signature_def, input_names)) > 1:
        raise ValueError("You must specify at most one of signature_def_key OR signature_def OR (input_names AND "
                         "output_names).")
    graph = graph or tf.Graph()
    with graph.as_default():
        session = tf.Session(config=config)
        loaded = tf.saved_model.loader.load(session, (tags or "serve").split(","), export_dir)
    if input_names is None:
        if signature_def is None:
            key = signature_def_key or _KEY
            if key not in loaded.signature_def:
                raise ValueError(f"Got signature_def_key \"{key}\". Available signatures are "
                                 f"{sorted(loaded.signature_def)}.")
            signature_def = loaded.signature_def[key]
        input_names, output_names = _names_of(signature_def.inputs), _names_of(signature_def.outputs)
    find = graph.get_tensor_by_name
    return SavedModelPredictor(graph, session, {name: find(tensor) for name, tensor in input_names.items()},
                               {name: find(tensor) for name, tensor in output_names.items()})


def _fetched(export_outputs, output_key):
    if output_key not in export_outputs:
        raise KeyError(f"output_key must be one of {export_outputs.keys()}; got {output_key}")
    output = export_outputs[output_key]
    if hasattr(output, "outputs"):
        return output.outputs
    parts = {"scores": getattr(output, "scores", None), "classes": getattr(output, "classes", None),
             "value": getattr(output, "value", None)}
    return {name: tensor for name, tensor in parts.items() if tensor is not None}


def from_estimator(estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None):
    """A predictor of an estimator's latest checkpoint, for the inputs that the function makes."""
    import rill as tf
    if not isinstance(estimator, tf.estimator.Estimator):
        raise TypeError(f"Expected estimator to be of type tf.estimator.Estimator, but got type {type(estimator)}.")
    graph = graph or tf.Graph()
    with graph.as_default():
        tf.train.create_global_step(graph)
        receiver = serving_input_receiver_fn()
        spec = estimator._call_model_fn(receiver.features, None, tf.estimator.ModeKeys.PREDICT, estimator.config)
        session = tf.train.MonitoredSession(session_creator=tf.train.ChiefSessionCreator(
            config=config, checkpoint_filename_with_path=estimator.latest_checkpoint(), scaffold=spec.scaffold))
    return CoreEstimatorPredictor(graph, session, receiver.receiver_tensors,
                                  _fetched(spec.export_outputs or {}, output_key or _KEY))


def from_contrib_estimator(estimator, prediction_input_fn, input_alternative_key=None, output_alternative_key=None,
                           graph=None, config=None):
    """Estimators of tf.contrib.learn are not there."""
    raise UnimplementedError(None, None, "from_contrib_estimator")
