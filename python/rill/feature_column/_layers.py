"""Layers of feature columns: tf.keras.layers.DenseFeatures and SequenceFeatures; the work is done in C++."""

from rill import _rill
from rill._layers import KerasLayer
from rill.feature_column import _serialization

FeatureTransformationCache = _LazyBuilder = _rill.FeatureTransformationCache


class StateManager:
    """Where columns get what outlives one use: variables and tables."""

    def create_variable(self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True,
                        initializer=None):
        """Makes a variable of a column."""
        raise NotImplementedError("StateManager.create_variable")

    def get_variable(self, feature_column, name):
        """The variable that was made."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column, name, resource):
        """Keeps a value that is neither a variable nor a tensor."""
        raise NotImplementedError("StateManager.add_resource")

    def has_resource(self, feature_column, name):
        """Whether there is such a value."""
        raise NotImplementedError("StateManager.has_resource")

    def get_resource(self, feature_column, name):
        """The value that was kept."""
        raise NotImplementedError("StateManager.get_resource")


class _StateManagerImpl(StateManager):
    """Variables that belong to a layer."""

    def __init__(self, layer, trainable):
        self._layer, self._trainable = layer, trainable
        self._variables, self._resources = {}, {}

    def create_variable(self, feature_column, name, shape, dtype=None, trainable=True, use_resource=True,
                        initializer=None):
        """Makes a variable of a column."""
        from rill import _variable_scope
        if (feature_column, name) in self._variables:
            raise ValueError("Variable already exists.")
        trainable = self._trainable and trainable
        variable = _variable_scope.get_variable(name, shape, dtype, initializer, trainable=trainable,
                                                use_resource=use_resource)
        for part in variable if isinstance(variable, _variable_scope.PartitionedVariable) else [variable]:
            self._layer._core.track(part, trainable)
        self._variables[feature_column, name] = variable
        return variable

    def get_variable(self, feature_column, name):
        """The variable that was made."""
        if (feature_column, name) not in self._variables:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column, name]

    def add_resource(self, feature_column, name, resource):
        """Keeps a value that is neither a variable nor a tensor."""
        self._resources[feature_column, name] = resource

    def has_resource(self, feature_column, name):
        """Whether there is such a value."""
        return (feature_column, name) in self._resources

    def get_resource(self, feature_column, name):
        """The value that was kept."""
        if not self.has_resource(feature_column, name):
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column, name]


class _FeaturesLayer(KerasLayer):
    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_columns = tuple(_rill.layer_columns(feature_columns, self._of_sequences))
        self._state_manager = _StateManagerImpl(self, self.trainable)

    def build(self, _):
        """Makes the variables of the columns."""
        _rill.create_column_states(self._feature_columns, self._state_manager, self.name)
        self.built = True

    def _elements(self):
        return sum(column.variable_shape.num_elements() for column in self._feature_columns)

    def get_config(self):
        """What from_config makes the same layer of."""
        columns = _serialization.serialize_feature_columns(self._feature_columns)
        return {**super().get_config(), "feature_columns": columns}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The layer that get_config tells."""
        columns = _serialization.deserialize_feature_columns(config["feature_columns"], custom_objects)
        return cls(**{**config, "feature_columns": columns})


class DenseFeatures(_FeaturesLayer):
    """The dense columns of a batch side by side."""

    _of_sequences = False

    def call(self, features, cols_to_output_tensors=None):
        """The columns of a dict of features."""
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        return _rill.dense_features(features, self._feature_columns, self._state_manager, cols_to_output_tensors)

    def compute_output_shape(self, input_shape):
        """(examples, numbers)."""
        return input_shape[0], self._elements()


class SequenceFeatures(_FeaturesLayer):
    """The sequences of a batch side by side, and their lengths."""

    _of_sequences = True

    def call(self, features):
        """The columns of a dict of features."""
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        return _rill.sequence_features(features, self._feature_columns, self._state_manager)

    def compute_output_shape(self, input_shape):
        """(examples, steps, numbers)."""
        return input_shape[0], input_shape[1], self._elements()


class InputLayer:
    """tf.feature_column.input_layer as an object: the first call makes the variables, later ones share them."""

    def __init__(self, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None,
                 name="feature_column_input_layer", create_scope_now=True):
        from rill._variable_scope import make_template
        self.name = name
        self._arguments = feature_columns, weight_collections, trainable
        self._template = make_template(name, _rill.input_layer_here, create_scope_now_=create_scope_now)

    def __call__(self, features):
        """The columns of a dict of features."""
        return self._template(features, *self._arguments)

    def __getattr__(self, name):
        if name not in ("variables", "weights", "trainable_variables", "trainable_weights",
                        "non_trainable_variables", "non_trainable_weights", "variable_scope"):
            raise AttributeError(name)
        return getattr(self._template, name)
