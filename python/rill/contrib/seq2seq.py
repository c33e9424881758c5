"""tf.contrib.seq2seq: what there is of it."""

from rill._attention import (  # noqa: F401
    AttentionMechanism, AttentionWrapper, AttentionWrapperState, BahdanauAttention, LuongAttention)
from rill._seq2seq import (  # noqa: F401
    BasicDecoder, BasicDecoderOutput, BeamSearchDecoder, BeamSearchDecoderOutput, BeamSearchDecoderState,
    CustomHelper, Decoder, FinalBeamSearchDecoderOutput, GreedyEmbeddingHelper, Helper,
    InferenceHelper, SampleEmbeddingHelper, ScheduledEmbeddingTrainingHelper, TrainingHelper, dynamic_decode, gather_tree, sequence_loss, tile_batch)
