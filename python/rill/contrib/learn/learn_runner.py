"""tf.contrib.learn.learn_runner: runs experiments."""


def run(experiment_fn, output_dir=None, schedule=None, run_config=None, hparams=None):
    """Makes an experiment and runs its method `schedule`."""
    if not callable(experiment_fn):
        raise TypeError("Experiment builder \"%s\" is not callable." % experiment_fn)
    if (output_dir is None) == (run_config is None):
        raise ValueError("Must set value for `output_dir` or `run_config`, but not both.")
    if run_config is not None:
        experiment = experiment_fn(run_config, hparams)
    else:
        experiment = experiment_fn(output_dir)
    schedule = schedule or "train_and_evaluate"
    if not hasattr(experiment, schedule):
        raise ValueError(f"Schedule references non-existent task {schedule}")
    return getattr(experiment, schedule)()
