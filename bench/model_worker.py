"""Measures training steps of models on request; speaks as op_worker.py does."""
import sys

from op_worker import THREADS, measure

WINDOW = 0.3  # seconds of measuring per answer


def graph_step(framework, name):
    from model_graphs import MODELS
    if framework == "tensorflow":
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
    else:
        import tensorflow as tf
    config = tf.ConfigProto(intra_op_parallelism_threads=THREADS, inter_op_parallelism_threads=THREADS)
    with tf.Graph().as_default():
        train, feeds = MODELS[name](tf)
        session = tf.Session(config=config)
        session.run(tf.global_variables_initializer())
    run = session.make_callable(train, list(feeds))
    return lambda: run(*feeds.values())


def torch_step(name):
    import torch
    from model_torch import MODELS
    torch.set_num_threads(THREADS)
    return MODELS[name]()


def prepared(framework, name):
    """A warm step, or the reason why there is none."""
    try:
        step = torch_step(name) if framework == "torch" else graph_step(framework, name)
        for _ in range(3):
            step()
        return step
    except Exception as error:  # whatever a framework raises for what it lacks
        return f"{type(error).__name__}: {error}".splitlines()[0]


def main():
    steps = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in steps:
            steps[name] = prepared(sys.argv[1], name)
        step = steps[name]
        print(f"nan {step}" if isinstance(step, str) else measure(step, WINDOW), flush=True)


if __name__ == "__main__":
    main()
