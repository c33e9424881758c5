"""Tensor2Tensor 1.15: a problem and hyper-parameters of one's own, data written to disk, and a small Transformer trained and
asked through the library's own Estimator and decoder."""
import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf
from tensor2tensor import models  # noqa: F401  registers them
from tensor2tensor.data_generators import algorithmic, problem
from tensor2tensor.models import transformer
from tensor2tensor.utils import registry, trainer_lib

MODES = tf.estimator.ModeKeys


@registry.register_problem
class ReverseShort(algorithmic.AlgorithmicReverseBinary40):
    """Short sequences of bits, backwards."""

    @property
    def train_length(self):
        return 6

    @property
    def dev_length(self):
        return 6

    @property
    def train_size(self):
        return 200

    @property
    def dev_size(self):
        return 20

    @property
    def num_shards(self):
        return 1


@registry.register_hparams
def transformer_very_tiny():
    hparams = transformer.transformer_tiny()
    hparams.hidden_size, hparams.filter_size, hparams.num_heads = 16, 32, 2
    hparams.batch_size, hparams.learning_rate_warmup_steps = 64, 10
    return hparams


def trained(folder):
    hparams = trainer_lib.create_hparams("transformer_very_tiny")
    run_config = trainer_lib.create_run_config("transformer", model_dir=os.path.join(folder, "model"),
                                               save_checkpoints_steps=10, num_gpus=0)
    experiment = trainer_lib.create_experiment(
        run_config, hparams, "transformer", "reverse_short", folder, train_steps=20, eval_steps=2,
        schedule="continuous_train_and_eval", min_eval_frequency=10)
    experiment.train()
    found = experiment.evaluate()
    assert np.isfinite(found["loss"]), found


def inferred():
    hparams = trainer_lib.create_hparams("transformer_very_tiny", problem_name="reverse_short")
    with tf.Graph().as_default():
        model = registry.model("transformer")(hparams, MODES.PREDICT)
        features = {"inputs": tf.constant([[[[2]], [[3]], [[1]]]], tf.int32), "target_space_id": tf.constant(0)}
        outputs = model.infer(features, decode_length=4, beam_size=1)["outputs"]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            assert session.run(outputs).ndim >= 2


def main():
    assert "transformer" in registry.list_models() and isinstance(registry.problem("reverse_short"), problem.Problem)
    with tempfile.TemporaryDirectory() as folder:
        registry.problem("reverse_short").generate_data(folder, folder)
        trained(folder)
    inferred()
    print("a problem is registered and written, a Transformer trained, evaluated and decoded")


main()
