"""RunConfig: what it holds, what TF_CONFIG says, what is refused; and what estimators make of it."""
import contextlib
import json
import os

import tensorflow as tf

from helpers.estimator_runs import checkpoint, directory, estimator, linear, logged, pairs, refused

CLUSTER = {"chief": ["c:1"], "ps": ["p:1", "p:2"], "worker": ["w:1", "w:2"]}
PROPERTIES = ["cluster_spec", "task_type", "task_id", "global_id_in_cluster", "master", "evaluation_master", "is_chief",
              "num_ps_replicas", "num_worker_replicas", "service", "model_dir"]


@contextlib.contextmanager
def tf_config(value):
    os.environ["TF_CONFIG"] = value if isinstance(value, str) else json.dumps(value)
    try:
        yield
    finally:
        del os.environ["TF_CONFIG"]


def shown(config):
    found = {name: getattr(config, name) for name in PROPERTIES}
    found["cluster_spec"] = sorted(found["cluster_spec"].as_dict().items())
    return {name: str(value) for name, value in found.items()}


def made(value, **options):
    with tf_config(value):
        return shown(tf.estimator.RunConfig(**options))


def made_refused(value, **options):
    with tf_config(value):
        return refused(lambda: tf.estimator.RunConfig(**options))


def program_defaults():
    config = tf.estimator.RunConfig()
    names = ["model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_secs", "save_checkpoints_steps",
             "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
             "train_distribute", "eval_distribute", "device_fn", "protocol", "experimental_max_worker_delay_secs",
             "session_creation_timeout_secs"]
    return dict(values=[f"{name} {getattr(config, name)}" for name in names], **shown(config))


def program_replace():
    config = tf.estimator.RunConfig(model_dir="/tmp/a", save_checkpoints_steps=5)
    other = config.replace(save_checkpoints_secs=7, keep_checkpoint_max=2)
    third = other.replace(save_checkpoints_steps=3, model_dir="/tmp/b")
    return dict(values=str([(c.model_dir, c.save_checkpoints_steps, c.save_checkpoints_secs, c.keep_checkpoint_max)
                            for c in (config, other, third)]))


def program_refuses():
    make = tf.estimator.RunConfig
    wrong = dict(model_dir="", save_summary_steps=-1, save_checkpoints_steps=-1, save_checkpoints_secs=-1,
                 session_config="no", keep_checkpoint_max=-1, keep_checkpoint_every_n_hours=0, log_step_count_steps=0,
                 tf_random_seed=1.5, experimental_max_worker_delay_secs="x", session_creation_timeout_secs=0,
                 device_fn=lambda node: "", protocol="http")
    found = {name: refused(lambda: make(**{name: value})) for name, value in wrong.items()}
    return dict(found, both=refused(lambda: make(save_checkpoints_steps=1, save_checkpoints_secs=1)),
                replace=refused(lambda: make().replace(master="x")).split(". Allowed")[0],
                replace_both=refused(lambda: make().replace(save_checkpoints_steps=1, save_checkpoints_secs=1)))


def program_tasks_of_a_cluster():
    tasks = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 1), ("evaluator", 0)]
    return {f"{kind}{index}": made({"cluster": CLUSTER, "task": {"type": kind, "index": index}})
            for kind, index in tasks}


def program_session_configs():
    found = {}
    for kind, index in [("chief", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]:
        with tf_config({"cluster": CLUSTER, "task": {"type": kind, "index": index}}):
            config = tf.estimator.RunConfig()
        found[kind] = str(config.session_config)
    with tf_config({"cluster": {"master": ["m:1"], "worker": ["w:1"]}, "task": {"type": "master", "index": 0}}):
        found["master"] = str(tf.estimator.RunConfig().session_config)
        own = tf.ConfigProto(log_device_placement=True)
        found["own"] = str(tf.estimator.RunConfig(session_config=own).session_config)
    return found


def program_master_instead_of_chief():
    cluster = {"master": ["m:1"], "worker": ["w:1", "w:2"], "ps": ["p:1"]}
    return {f"{kind}{index}": made({"cluster": cluster, "task": {"type": kind, "index": index}})
            for kind, index in [("master", 0), ("worker", 1), ("ps", 0)]}


def program_cluster_of_one():
    return dict(chief=made({"cluster": {"chief": ["c:1"]}, "task": {"type": "chief", "index": 0}}),
                text=made({"cluster": {"chief": ["c:1"], "worker": ["w:1"]}, "task": {"type": "worker", "index": "0"}}))


def program_masters_given():
    task = {"type": "worker", "index": 0}
    masters = {"session_master": "grpc://s:1", "eval_session_master": "grpc://e:1"}
    return dict(alone=made({"task": task, **masters}), cluster=made({"cluster": CLUSTER, "task": task, **masters}),
                evaluator=made({"cluster": CLUSTER, "task": {"type": "evaluator", "index": 3}, **masters}))


def program_service_and_model_dir():
    return dict(service=made({"service": {"name": "s", "port": 3}}), dir=made({"model_dir": "/tmp/d"}),
                same=made({"model_dir": "/tmp/d"}, model_dir="/tmp/d"),
                other=made_refused({"model_dir": "/tmp/d"}, model_dir="/tmp/e").split("model_dir: ")[0],
                empty=made_refused({"model_dir": ""}), wrong=made_refused({"service": "s"}))


def program_tf_config_refused():
    task = {"type": "worker", "index": 0}
    cases = dict(
        no_chief={"cluster": {"worker": ["w:1"]}, "task": task},
        two_chiefs={"cluster": {"chief": ["a:1", "b:1"]}, "task": task},
        no_type={"cluster": CLUSTER, "task": {"index": 0}},
        no_index={"cluster": CLUSTER, "task": {"type": "worker"}},
        negative={"cluster": CLUSTER, "task": {"type": "worker", "index": -1}},
        unknown={"cluster": CLUSTER, "task": {"type": "other", "index": 0}},
        too_many={"cluster": CLUSTER, "task": {"type": "worker", "index": 7}},
        alone_type={"task": {"type": "ps", "index": 0}},
        alone_index={"task": {"type": "worker", "index": 1}},
        chief_and_master={"cluster": {"chief": ["a:1"], "master": ["b:1"]}, "task": task},
        evaluator_and_master={"cluster": {"master": ["b:1"]}, "task": {"type": "evaluator", "index": 0}})
    return {name: made_refused(value) for name, value in cases.items()}


def program_logs_the_configuration():
    with logged() as lines:
        tf.estimator.RunConfig(model_dir="/x")
        with tf_config({"task": {"type": "worker", "index": 0}}):
            tf.estimator.RunConfig()
    return dict(lines=lines)


def program_model_dirs():
    path = directory()
    both = tf.estimator.Estimator(linear, path, tf.estimator.RunConfig(model_dir=path), params={})
    with logged() as lines:
        temporary = tf.estimator.Estimator(linear, params={})
    lines = [line for line in lines if "Using config" not in line]
    return dict(same=both.model_dir == path, config=both.config.model_dir == path, lines=lines,
                temporary=os.path.isdir(temporary.model_dir),
                differ=refused(lambda: tf.estimator.Estimator(linear, path, tf.estimator.RunConfig(model_dir="/other"),
                                                              params={})))


def program_estimators_refuse():
    make = tf.estimator.Estimator
    text = lambda call: refused(call).replace("__main__.", "")  # noqa: E731
    return dict(none=text(lambda: make(None, directory())),
                config=text(lambda: make(linear, directory(), config="x", params={})),
                features=text(lambda: make(lambda x: x, directory())).split(")")[-1],
                params=text(lambda: make(lambda features: 1, directory(), params={"a": 1})).split(">)")[-1],
                more=text(lambda: make(lambda features, labels, more: 1, directory())).split(")")[-1],
                warm=text(lambda: make(linear, directory(), params={}, warm_start_from=3)))


def program_subclasses():
    class Fine(tf.estimator.Estimator):
        def more(self):
            return "more"

    class Wrong(tf.estimator.Estimator):
        def train(self):
            pass
    return dict(more=Fine(linear, directory(), params={}).more(),
                wrong=refused(lambda: Wrong(linear, directory(), params={})).split("<class")[0])


def program_copies():
    params = {"rate": 0.01, "list": [1]}
    model = tf.estimator.Estimator(linear, directory(), params=params)
    params["list"].append(2)
    model.params["list"].append(3)
    model.config._save_summary_steps = 1
    return dict(params=str(sorted(model.params.items())), steps=model.config.save_summary_steps)


def program_devices():
    def choose(op):
        return "/cpu:0" if op.type in ("VariableV2", "VarHandleOp") else ""
    found = []

    def model_fn(features, labels, mode, params):
        spec = linear(features, labels, mode, params)
        found.append([v.device for v in tf.global_variables()])
        return spec
    model = estimator(model_fn, config=tf.estimator.RunConfig(device_fn=choose))
    model.train(pairs(), steps=1)
    return dict(found=str(found), checkpoint=checkpoint(model.model_dir))


def program_devices_in_a_cluster():
    found = []

    class Stop(Exception):
        pass

    def model_fn(features, labels, mode, params):
        linear(features, labels, mode, params)
        found.append([(v.op.name, v.device) for v in tf.global_variables()])
        raise Stop()
    with tf_config({"cluster": CLUSTER, "task": {"type": "worker", "index": 1}}):
        model = estimator(model_fn)
    refused(lambda: model.train(pairs(), steps=1))
    return dict(found=str(found))


def program_train_in_wrong_task():
    found = {}
    for kind in ("ps", "evaluator"):
        with tf_config({"cluster": CLUSTER, "task": {"type": kind, "index": 0}}):
            model = estimator()
        found[kind] = refused(lambda: model.train(pairs(), steps=1)).split(" Current")[0]
    return found
