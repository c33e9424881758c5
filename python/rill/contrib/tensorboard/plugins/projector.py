"""tf.contrib.tensorboard.plugins.projector: tensors of a checkpoint that TensorBoard shows in space."""

from rill import _rill, proto

projector_config_pb2 = proto.module("tensorflow/contrib/tensorboard/plugins/projector/projector_config.proto")
ProjectorConfig = projector_config_pb2.ProjectorConfig
EmbeddingInfo = projector_config_pb2.EmbeddingInfo
SpriteMetadata = projector_config_pb2.SpriteMetadata


def visualize_embeddings(summary_writer, config):
    """Writes the configuration to where the writer writes, for TensorBoard to find."""
    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    _rill.visualize_embeddings(str(logdir), config)
