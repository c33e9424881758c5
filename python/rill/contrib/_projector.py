"""tf.contrib.tensorboard.plugins.projector: tensors of a checkpoint that TensorBoard shows in space."""

from rill import _rill, proto

_messages = proto.module("tensorflow/contrib/tensorboard/plugins/projector/projector_config.proto")
ProjectorConfig = _messages.ProjectorConfig
EmbeddingInfo = _messages.EmbeddingInfo
SpriteMetadata = _messages.SpriteMetadata


def visualize_embeddings(summary_writer, config):
    """Writes the configuration to where the writer writes, for TensorBoard to find."""
    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    _rill.visualize_embeddings(str(logdir), config)
