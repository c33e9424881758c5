"""Columns as plain dicts and back: tensorflow.python.feature_column.serialization."""

from rill.dtypes import as_dtype
from rill.feature_column import _columns

_COLUMN_FIELDS = ("categorical_column", "source_column")
_FUNCTION_FIELDS = ("normalizer_fn", "initializer")
_REGISTERED = dict(_columns.KINDS)


def register_feature_column(fc):
    """Makes a class of columns known to deserialize_feature_column."""
    _REGISTERED[fc.__name__] = fc
    return fc


def serialize_feature_column(fc):
    """{"class_name": ..., "config": ...} of a column; the names of features are themselves."""
    if isinstance(fc, str):
        return fc
    if not isinstance(fc, _columns.FeatureColumn):
        raise ValueError(f"Instance: {fc} is not a FeatureColumn")
    return {"class_name": type(fc).__name__, "config": fc.get_config()}


def serialize_feature_columns(feature_columns):
    """The same for each of them."""
    return [serialize_feature_column(fc) for fc in feature_columns]


def deserialize_feature_column(config, custom_objects=None, columns_by_name=None):
    """The column that serialize_feature_column told; the same one where it was made before."""
    if isinstance(config, str):
        return config
    columns_by_name = {} if columns_by_name is None else columns_by_name
    cls = _class_of(config, {**_REGISTERED, **(custom_objects or {})}, "feature_column_v2")
    if not issubclass(cls, _columns.FeatureColumn):
        raise ValueError(f"Expected FeatureColumn class, instead found: {cls}")
    column = cls.from_config(config["config"], custom_objects=custom_objects, columns_by_name=columns_by_name)
    return columns_by_name.setdefault(f"{cls.__name__}:{column.name}", column)


def deserialize_feature_columns(configs, custom_objects=None):
    """The same for each of them; columns inside of several are made once."""
    columns_by_name = {}
    return [deserialize_feature_column(config, custom_objects, columns_by_name) for config in configs]


def _class_of(config, known, what):
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    if config["class_name"] not in known:
        raise ValueError(f"Unknown {what}: {config['class_name']}")
    return known[config["class_name"]]


def _serialized_function(function):
    if function is None:
        return None
    if hasattr(function, "get_config"):
        config = {key: getattr(value, "name", value) for key, value in function.get_config().items()}
        return {"class_name": type(function).__name__, "config": config}
    if hasattr(function, "__name__"):
        return function.__name__
    raise ValueError("Cannot serialize", function)


def _function_from(config, custom_objects):
    if config is None or callable(config):
        return config
    custom_objects = custom_objects or {}
    if isinstance(config, dict):
        from rill import _initializers
        classes = {found.__name__: found for found in vars(_initializers).values() if isinstance(found, type)}
        cls = _class_of(config, {**vars(_initializers), **classes, **custom_objects}, "object")
        return cls.from_config(config["config"])
    if config not in custom_objects:
        raise ValueError(f"Unknown object: {config}")
    found = custom_objects[config]
    return found() if isinstance(found, type) else found


def config_of(column):
    """The fields of a column as plain values."""
    config = dict(zip(column._fields, column))
    for field, value in config.items():
        if field in _COLUMN_FIELDS:
            config[field] = serialize_feature_column(value)
        elif field in _FUNCTION_FIELDS:
            config[field] = _serialized_function(value)
        elif field == "keys":
            config[field] = tuple(serialize_feature_columns(value))
        elif field == "dtype":
            config[field] = as_dtype(value).name
    return config


def column_from(cls, config, custom_objects, columns_by_name):
    """The column of a class that has these fields."""
    if set(config) != set(cls._fields):
        raise ValueError(f"Invalid config: {config}, expected keys: {cls._fields}")
    fields = {}
    for field, value in config.items():
        if field in _COLUMN_FIELDS:
            value = deserialize_feature_column(value, custom_objects, columns_by_name)
        elif field in _FUNCTION_FIELDS:
            value = _function_from(value, custom_objects)
        elif field == "keys":
            value = tuple(deserialize_feature_column(key, custom_objects, columns_by_name) for key in value)
        elif field == "dtype":
            value = as_dtype(value)
        fields[field] = tuple(value) if isinstance(value, list) else value
    return cls(**fields)
