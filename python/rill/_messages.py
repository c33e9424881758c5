"""The protobuf messages that TensorFlow's top-level module names, loaded when first asked for."""

_PATHS = {
    "AttrValue": "framework/attr_value",
    "BytesList": "example/feature",
    "ClusterDef": "protobuf/cluster",
    "ConfigProto": "protobuf/config",
    "Event": "util/event",
    "Example": "example/example",
    "Feature": "example/feature",
    "FeatureList": "example/feature",
    "FeatureLists": "example/feature",
    "Features": "example/feature",
    "FloatList": "example/feature",
    "GPUOptions": "protobuf/config",
    "GraphDef": "framework/graph",
    "GraphOptions": "protobuf/config",
    "HistogramProto": "framework/summary",
    "Int64List": "example/feature",
    "JobDef": "protobuf/cluster",
    "LogMessage": "util/event",
    "MetaGraphDef": "protobuf/meta_graph",
    "NameAttrList": "framework/attr_value",
    "NodeDef": "framework/node_def",
    "OptimizerOptions": "protobuf/config",
    "RunMetadata": "protobuf/config",
    "RunOptions": "protobuf/config",
    "SaverDef": "protobuf/saver",
    "SequenceExample": "example/example",
    "ServerDef": "protobuf/tensorflow_server",
    "SessionLog": "util/event",
    "Summary": "framework/summary",
    "SummaryDescription": "framework/summary",
    "SummaryMetadata": "framework/summary",
    "TaggedRunMetadata": "util/event",
    "TensorInfo": "protobuf/meta_graph",
}


def find(name):
    """The message class, or None."""
    if name not in _PATHS:
        return None
    from rill import proto
    return getattr(proto.module(f"tensorflow/core/{_PATHS[name]}.proto"), name)
