"""tf.contrib.seq2seq: what there is of it."""

from rill._attention import (  # noqa: F401
    AttentionMechanism, AttentionWrapper, AttentionWrapperState, BahdanauAttention, LuongAttention)
from rill._beam_search import (  # noqa: F401
    BeamSearchDecoder, BeamSearchDecoderOutput, BeamSearchDecoderState, FinalBeamSearchDecoderOutput,
    gather_tree)
from rill._seq2seq import (  # noqa: F401
    BasicDecoder, BasicDecoderOutput, Decoder, dynamic_decode, sequence_loss, tile_batch)
from rill._seq2seq_helpers import (  # noqa: F401
    CustomHelper, GreedyEmbeddingHelper, Helper, InferenceHelper, SampleEmbeddingHelper,
    ScheduledEmbeddingTrainingHelper, TrainingHelper)
