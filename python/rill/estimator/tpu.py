"""tf.estimator.tpu: estimators written for TPUs, here on the processor.

There are no TPUs. A model for them runs as one replica: with `use_tpu=True` the batches of all shards are put
together, which gives the step that averaging over the shards would give.
"""

import collections
import json
import numbers
import os
import re

from rill import _program_utils, _rill, _surface
from rill._session_run_hook import SessionRunArgs, SessionRunHook
from rill.estimator import _run_config
from rill.estimator._estimator import Estimator, verify_model_fn_args
from rill.estimator._model_fn import EstimatorSpec

_RESERVED = ["batch_size", "context"]


class InputPipelineConfig:
    """How often an input function is called, and what for."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


def _check_positive_integer(value, name):
    if not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")


def _check_iterations(value):
    if isinstance(value, numbers.Integral) and value > 0 or re.fullmatch(r"[1-9]\d*[smh]", str(value)):
        return
    raise ValueError("Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value or "
                     f"time-based value such as `3600s`, `60m` or `1h`; got {value}")


class TPUConfig(collections.namedtuple("TPUConfig", [
        "iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training", "tpu_job_name",
        "initial_infeed_sleep_secs", "input_partition_dims", "eval_training_input_configuration",
        "experimental_host_call_every_n_steps"])):
    """How a model is spread over TPUs."""

    def __new__(cls, iterations_per_loop=2, num_shards=None, num_cores_per_replica=None,
                per_host_input_for_training=True, tpu_job_name=None, initial_infeed_sleep_secs=None,
                input_partition_dims=None, eval_training_input_configuration=InputPipelineConfig.PER_HOST_V1,
                experimental_host_call_every_n_steps=1):
        _check_iterations(iterations_per_loop)
        if num_shards is not None:
            _check_positive_integer(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            if len(input_partition_dims) not in (1, 2):
                raise ValueError("input_partition_dims must be a list/tuple with one or two elements.")
            if per_host_input_for_training != InputPipelineConfig.PER_HOST_V2:
                raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
            if num_cores_per_replica is None:
                raise ValueError("input_partition_dims requires setting num_cores_per_replica.")
        if num_cores_per_replica not in (None, 1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError("num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; "
                             f"got {num_cores_per_replica}")
        if eval_training_input_configuration not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError("eval_training_input_configuration must be PER_HOST_V1 or SLICED; "
                             f"got {eval_training_input_configuration}")
        if isinstance(per_host_input_for_training, bool):
            per_host_input_for_training = (InputPipelineConfig.PER_HOST_V1 if per_host_input_for_training
                                           else InputPipelineConfig.PER_SHARD_V1)
        if initial_infeed_sleep_secs:
            _check_positive_integer(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        service = json.loads(os.environ.get("TF_CONFIG") or "{}").get("service", {})
        return super().__new__(cls, iterations_per_loop, num_shards, num_cores_per_replica,
                               per_host_input_for_training, tpu_job_name or service.get("tpu_worker_job_name"),
                               initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
                               experimental_host_call_every_n_steps)


class RunConfig(_run_config.RunConfig):
    """A RunConfig with what TPUs need besides."""

    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kwargs):
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None and cluster is not None:
            raise ValueError("Both master and cluster are set.")
        if cluster is not None:
            master = cluster.master()
        if master is not None:
            self._master = master
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self.task_type != "evaluator":
            self._evaluation_master = self._master

    tpu_config = property(lambda self: self._tpu_config, doc="How the model is spread over TPUs.")
    cluster = property(lambda self: self._cluster, doc="What finds the TPUs.")
    master = property(lambda self: self._master, doc="Where training runs.")
    evaluation_master = property(lambda self: self._evaluation_master, doc="Where evaluation runs.")

    def replace(self, **kwargs):
        """The same with other values."""
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        other = super().replace(**kwargs)
        other._tpu_config = tpu_config
        return other


class _HostCallHook(SessionRunHook):
    """Runs what a host call made in every step."""

    def __init__(self, tensors):
        self._tensors = tensors

    def before_run(self, run_context):
        """Asks for them."""
        return SessionRunArgs(self._tensors)


def _check_host_call(name, call):
    if not isinstance(call, (tuple, list)):
        raise ValueError(f"{name} should be tuple or list")
    if len(call) != 2:
        raise ValueError(f"{name} should have two elements.")
    if not callable(call[0]):
        raise TypeError(f"{name}[0] should be callable.")
    if not isinstance(call[1], (tuple, list, dict)):
        raise ValueError(f"{name}[1] should be tuple or list, or dict.")
    code = getattr(call[0], "__code__", None)
    takes_any = code is None or code.co_flags & 4
    names = _program_utils.fn_args(call[0])
    if not isinstance(call[1], dict) and not takes_any and len(call[1]) != len(names):
        raise RuntimeError(f"In TPUEstimatorSpec.{name}, length of tensors {len(call[1])} does not match method args "
                           f"of the function, which takes {len(names)}.")


def _called(call):
    """What the function of a pair (function, tensors) makes of the tensors."""
    function, tensors = call
    return function(**tensors) if isinstance(tensors, dict) else function(*tensors)


class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", [
        "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn", "host_call",
        "training_hooks", "evaluation_hooks", "prediction_hooks"])):
    """A model for one mode; metrics and what else runs on the host are pairs of a function and tensors."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metrics=None, export_outputs=None,
                scaffold_fn=None, host_call=None, training_hooks=None, evaluation_hooks=None, prediction_hooks=None):
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is not None:
                _check_host_call(name, call)
        hooks = [tuple(given or []) for given in (training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in sum(hooks, ()):
            if not isinstance(hook, SessionRunHook):
                raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
                               host_call, *hooks)

    def as_estimator_spec(self):
        """The same for an Estimator."""
        metrics = _called(self.eval_metrics) if self.eval_metrics is not None else None
        hooks = (_HostCallHook(_called(self.host_call)),) if self.host_call is not None else ()
        return EstimatorSpec(self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
                             eval_metric_ops=metrics, export_outputs=self.export_outputs,
                             scaffold=self.scaffold_fn() if self.scaffold_fn else None,
                             training_hooks=self.training_hooks + hooks,
                             evaluation_hooks=self.evaluation_hooks + hooks,
                             prediction_hooks=self.prediction_hooks + hooks)


def _set_param(params, key, value):
    if hasattr(params, "set_hparam"):
        (params.set_hparam if key in params else params.add_hparam)(key, value)
    else:
        params[key] = value


class TPUContext:
    """What an input function is told of the shard that it is called for."""

    def __init__(self, estimator, mode, invocation_index):
        self._estimator, self._mode = estimator, mode
        self.current_input_fn_deployment = lambda: (None, invocation_index, estimator._shards, 0)

    num_hosts = property(lambda self: 1)
    num_replicas = property(lambda self: self._estimator._shards)
    num_of_replicas_per_host = property(lambda self: self._estimator._shards)
    model_parallelism_enabled = property(lambda self: False)


class TPUEstimator(Estimator):
    """An Estimator that tells its functions the size of a batch: params["batch_size"]."""

    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True, train_batch_size=None,
                 eval_batch_size=None, predict_batch_size=None, batch_axis=None, eval_on_tpu=True, export_to_tpu=True,
                 export_to_cpu=True, warm_start_from=None, embedding_config_spec=None,
                 export_saved_model_api_version=1):
        if not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED):
            raise ValueError(f"{_RESERVED} are reserved keys but existed in params {params}.")
        if embedding_config_spec is not None:
            raise NotImplementedError("TPU embeddings need a TPU; Rill runs TPUEstimator on the processor.")
        if use_tpu:
            self._check_sizes(config, train_batch_size, eval_batch_size, predict_batch_size)
        verify_model_fn_args(model_fn, params)
        self._sizes = {"train": train_batch_size, "eval": eval_batch_size, "infer": predict_batch_size}
        self._use_tpu, self._eval_on_tpu = use_tpu, eval_on_tpu
        self._shards = (config.tpu_config.num_shards or 1) if use_tpu else 1
        self._tpu_model_fn = model_fn
        super().__init__(self._model_fn_of(model_fn), model_dir, config, params or {}, warm_start_from)

    def _assert_members_are_not_overridden(self):
        pass  # this class does change what estimators do

    @staticmethod
    def _check_sizes(config, train_batch_size, eval_batch_size, predict_batch_size):
        if train_batch_size is None:
            raise ValueError("`train_batch_size` cannot be `None`")
        _check_positive_integer(train_batch_size, "train_batch_size")
        if (config.tpu_config.per_host_input_for_training == InputPipelineConfig.PER_SHARD_V1
                and config.tpu_config.num_cores_per_replica):
            raise ValueError("Model parallelism only supports per host input for training. Please adjust "
                             "TPURunconfig.per_host_input_for_training.")
        for name, size in (("eval_batch_size", eval_batch_size), ("predict_batch_size", predict_batch_size)):
            if size is not None:
                _check_positive_integer(size, name)
        shards = config.tpu_config.num_shards or 1
        for name, size in (("train", train_batch_size), ("eval", eval_batch_size), ("predict", predict_batch_size)):
            if size is not None and size % shards:
                raise ValueError(f"{name} batch size {size} must be divisible by number of replicas {shards}")

    def _model_fn_of(self, model_fn):
        def augmented_model_fn(features, labels, mode, config, params):
            names = _program_utils.fn_args(model_fn)
            if "params" not in names:
                raise ValueError(f"model_fn ({model_fn}) does not include params argument, required by TPUEstimator "
                                 "to pass batch size as params['batch_size']")
            if "labels" not in names and labels is not None:
                raise ValueError("model_fn does not take labels, but input_fn returns labels.")
            if self._sizes[mode] is not None and not self._is_exporting:
                _set_param(params, "batch_size", self._sizes[mode])
            _set_param(params, "use_tpu", False)
            given = {"labels": labels, "mode": mode, "config": config, "params": params}
            spec = model_fn(features=features, **{name: given[name] for name in given if name in names})
            return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec

        return augmented_model_fn

    _is_exporting = False

    def _export_all_saved_models(self, *args, **kwargs):
        self._is_exporting = True
        try:
            return super()._export_all_saved_models(*args, **kwargs)
        finally:
            self._is_exporting = False

    def _call_input_fn(self, input_fn, mode, input_context=None):
        names = _program_utils.fn_args(input_fn)
        if "params" not in names:
            raise ValueError(f"input_fn ({input_fn}) does not include params argument, required by TPUEstimator to "
                             'pass batch size as params["batch_size"]')
        sliced = self._config.tpu_config.eval_training_input_configuration == InputPipelineConfig.SLICED
        if not self._use_tpu and sliced and mode == "eval":
            raise ValueError("Invalid TPUConfig `eval_training_input_configuration` value. SLICED mode only works on "
                             "use_tpu = True.")
        how = self._config.tpu_config.per_host_input_for_training
        per_shard = self._shards > 1 and how in (InputPipelineConfig.PER_SHARD_V1, InputPipelineConfig.PER_HOST_V2)
        calls = self._shards if per_shard and how == InputPipelineConfig.PER_SHARD_V1 and mode == "train" else 1

        def call(index):
            params, size = self.params, self._sizes[mode]
            if size is not None:
                _set_param(params, "batch_size", size // self._shards if per_shard else size)
            if self._use_tpu:
                _set_param(params, "context", TPUContext(self, mode, index))
            given = {"params": params, "config": self.config, "mode": mode, "input_context": input_context}
            return input_fn(**{name: given[name] for name in given if name in names})

        made = [call(index) for index in range(calls)]
        return _together(made, self._shards) if per_shard else made[0]


def _together(made, shards):
    """The batches of all shards as one: of as many calls of an input function, or of consecutive elements."""
    from rill import data, nest
    concat = _rill.functions.concat
    if len(made) == 1 and not isinstance(made[0], data.Dataset):
        return made[0]
    if len(made) == 1:
        def join(*parts):
            reshape, shape = _rill.functions.reshape, _rill.functions.shape
            flat = nest.map_structure(
                lambda part: reshape(part, concat([[-1], shape(part)[2:]], 0)), parts)
            return flat[0] if len(flat) == 1 else flat
        return made[0].batch(shards, drop_remainder=True).map(join)
    if isinstance(made[0], data.Dataset):
        return data.Dataset.zip(tuple(made)).map(lambda *parts: nest.map_structure(
            lambda *same: concat(same, 0), *parts))
    return nest.map_structure(lambda *same: concat(same, 0), *made)


__getattr__, __dir__ = _surface.members_of(__name__)
