"""How estimators run."""

import copy
import json
import os

from rill import _program_utils, _rill, logging
from rill._cluster import ClusterSpec

_UNSET = object()
_REPLACEABLE = ["model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps",
                "save_checkpoints_secs", "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours",
                "log_step_count_steps", "train_distribute", "device_fn", "protocol", "eval_distribute",
                "experimental_distribute", "experimental_max_worker_delay_secs", "session_creation_timeout_secs"]
_BOTH_SAVE = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."


class TaskType:
    """The kinds of tasks that TF_CONFIG names."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def path_to_str(path):
    """A path object as text."""
    return os.fspath(path) if hasattr(path, "__fspath__") else path


def _chosen_model_dir(tf_config, model_dir):
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    given = tf_config.get("model_dir")
    if given == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if given:
        if model_dir and given != model_dir:
            raise ValueError("`model_dir` provided in RunConfig construct, if set, must have the same value as the "
                             f"model_dir in TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG[\"model_dir\"]: {given}.\n")
        logging.info("Using model_dir in TF_CONFIG: %s", given)
    return model_dir or given


def _is_config_proto(value):
    return hasattr(value, "SerializeToString") and hasattr(value, "device_count")


# Each: the property, whether a value is right, what is said where it is not.
_CHECKS = [
    ("model_dir", bool, "model_dir should be non-empty"),
    ("save_summary_steps", lambda steps: steps >= 0, "save_summary_steps should be >= 0"),
    ("save_checkpoints_steps", lambda steps: steps >= 0, "save_checkpoints_steps should be >= 0"),
    ("save_checkpoints_secs", lambda secs: secs >= 0, "save_checkpoints_secs should be >= 0"),
    ("session_config", _is_config_proto, "session_config must be instance of ConfigProto"),
    ("keep_checkpoint_max", lambda count: count >= 0, "keep_checkpoint_max should be >= 0"),
    ("keep_checkpoint_every_n_hours", lambda hours: hours > 0, "keep_checkpoint_every_n_hours should be > 0"),
    ("log_step_count_steps", lambda steps: steps > 0, "log_step_count_steps should be > 0"),
    ("tf_random_seed", lambda seed: isinstance(seed, int), "tf_random_seed must be integer."),
    ("experimental_max_worker_delay_secs", lambda delay: isinstance(delay, int),
     "experimental_max_worker_delay_secs must be an integer if set."),
    ("session_creation_timeout_secs", lambda secs: secs > 0, "session_creation_timeout_secs should be > 0"),
    ("device_fn", lambda choose: callable(choose) and set(_program_utils.fn_args(choose)) == {"op"},
     'device_fn must be callable with exactly one argument "op".'),
    ("protocol", lambda protocol: protocol in ("grpc", "grpc+verbs"), "protocol should be grpc or grpc+verbs"),
]


def _field(name, doc):
    return property(lambda self: getattr(self, "_" + name), doc=doc)


class RunConfig:
    """How an estimator runs."""

    def __init__(self, model_dir=None, tf_random_seed=None, save_summary_steps=100, save_checkpoints_steps=_UNSET,
                 save_checkpoints_secs=_UNSET, session_config=None, keep_checkpoint_max=5,
                 keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, train_distribute=None,
                 device_fn=None, protocol=None, eval_distribute=None, experimental_distribute=None,
                 experimental_max_worker_delay_secs=None, session_creation_timeout_secs=7200):
        if save_checkpoints_steps is _UNSET and save_checkpoints_secs is _UNSET:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _UNSET:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _UNSET:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_BOTH_SAVE)
        if experimental_distribute is not None:
            train_distribute = train_distribute or experimental_distribute.train_distribute
            eval_distribute = eval_distribute or experimental_distribute.eval_distribute
            if experimental_distribute.remote_cluster is not None:
                raise NotImplementedError("RunConfig: experimental_distribute: a remote_cluster is not there yet.")
        for strategy in (train_distribute, eval_distribute):
            if strategy is not None and not hasattr(strategy, "_core"):
                raise TypeError(f"RunConfig takes strategies of tf.distribute, got {strategy!r}")
        text = os.environ.get("TF_CONFIG", "{}")
        tf_config = json.loads(text)
        if tf_config:
            logging.info("TF_CONFIG environment variable: %s", tf_config)
        model_dir = _chosen_model_dir(tf_config, path_to_str(model_dir))
        RunConfig._replace(
            self, _REPLACEABLE, model_dir=model_dir, tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps, save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs, session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max, keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps, train_distribute=train_distribute, device_fn=device_fn,
            protocol=protocol, eval_distribute=eval_distribute, experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs)
        self._read_task(text, tf_config)

    def _read_task(self, text, tf_config):
        """Which task of a cluster this process is."""
        task = _rill.estimator_task(text)
        self._service = tf_config.get("service")
        self._cluster_spec = ClusterSpec(task["cluster_spec"])
        for name in ("task_type", "task_id", "global_id_in_cluster", "master", "evaluation_master", "is_chief",
                     "num_ps_replicas", "num_worker_replicas"):
            setattr(self, "_" + name, task[name])
        if not self._session_config and self._cluster_spec:
            RunConfig._replace(self, _REPLACEABLE, session_config=task["session_config"])

    model_dir = _field("model_dir", "Where checkpoints and summaries go.")
    tf_random_seed = _field("tf_random_seed", "The seed of every graph.")
    save_summary_steps = _field("save_summary_steps", "Summaries are written every so many steps.")
    save_checkpoints_steps = _field("save_checkpoints_steps", "Checkpoints are saved every so many steps.")
    save_checkpoints_secs = _field("save_checkpoints_secs", "Checkpoints are saved every so many seconds.")
    session_config = _field("session_config", "The ConfigProto of sessions.")
    keep_checkpoint_max = _field("keep_checkpoint_max", "How many checkpoints are kept.")
    keep_checkpoint_every_n_hours = _field("keep_checkpoint_every_n_hours", "One is kept for good every so many hours.")
    log_step_count_steps = _field("log_step_count_steps", "The loss is logged every so many steps.")
    train_distribute = _field("train_distribute", "The strategy of training.")
    eval_distribute = _field("eval_distribute", "The strategy of evaluation.")
    device_fn = _field("device_fn", "Chooses the device of every operation.")
    protocol = _field("protocol", "The protocol of the server.")
    experimental_max_worker_delay_secs = _field("experimental_max_worker_delay_secs", "How long workers may wait.")
    session_creation_timeout_secs = _field("session_creation_timeout_secs", "How long a worker waits for a session.")
    service = _field("service", "What the platform says of itself in TF_CONFIG.")
    cluster_spec = _field("cluster_spec", "The cluster.")
    task_type = _field("task_type", "The job that this process is a task of.")
    task_id = _field("task_id", "The number of the task in its job.")
    global_id_in_cluster = _field("global_id_in_cluster", "The number of the task in the cluster.")
    master = _field("master", "The server that runs training.")
    evaluation_master = _field("evaluation_master", "The server that runs evaluation.")
    is_chief = _field("is_chief", "Whether this task initialises and saves.")
    num_ps_replicas = _field("num_ps_replicas", "How many parameter servers there are.")
    num_worker_replicas = _field("num_worker_replicas", "How many workers there are, the chief among them.")

    def __deepcopy__(self, memo):
        """Model functions get a copy each time: what cannot change is shared."""
        made = self.__class__.__new__(self.__class__)
        for name, value in vars(self).items():
            is_plain = value is None or isinstance(value, (bool, int, float, str))
            made.__dict__[name] = value if is_plain else copy.deepcopy(value, memo)
        return made

    def replace(self, **kwargs):
        """A copy with other values."""
        return RunConfig._replace(copy.deepcopy(self), _REPLACEABLE, **kwargs)

    @staticmethod
    def _replace(config, allowed_properties_list=None, **kwargs):
        for key, value in kwargs.items():
            if key not in (allowed_properties_list or []):
                raise ValueError(f"Replacing {key} is not supported. Allowed properties are "
                                 f"{allowed_properties_list}.")
            setattr(config, "_" + key, value)
        _settle_saving(config, kwargs)
        for name, is_right, message in _CHECKS:
            value = getattr(config, "_" + name)
            if value is not None and not is_right(value):
                raise ValueError(message)
        return config


def _settle_saving(config, replaced):
    """Saving by steps ends saving by seconds, and the other way round."""
    steps, secs = config._save_checkpoints_steps, config._save_checkpoints_secs
    if "save_checkpoints_steps" in replaced and "save_checkpoints_secs" in replaced:
        if steps is not None and secs is not None:
            raise ValueError(_BOTH_SAVE)
    elif "save_checkpoints_steps" in replaced and steps is not None:
        config._save_checkpoints_secs = None
    elif "save_checkpoints_secs" in replaced and secs is not None:
        config._save_checkpoints_steps = None
