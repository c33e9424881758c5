"""Variables that start with what an earlier program left in a checkpoint."""
import pathlib

import numpy as np
import tensorflow as tf

DIRECTORY = pathlib.Path("/tmp/rill_program_warm_start")


def _checkpoint(name, **values):
    """The directory of a checkpoint with these tensors; `scope__v` is called scope/v."""
    folder = DIRECTORY / name
    folder.mkdir(parents=True, exist_ok=True)
    with tf.Graph().as_default(), tf.Session() as session:
        for key, value in values.items():
            tf.get_variable(key.replace("__", "/"), initializer=np.asarray(value, "float32"))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(folder / "model"), write_meta_graph=False)
    return str(folder)


def _words(name, *words):
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    path = DIRECTORY / f"{name}.txt"
    path.write_text("".join(word + "\n" for word in words))
    return str(path)


ROWS = [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]


def _fruit():
    return (_words("fruit_old", "apple", "banana", "guava"),
            _words("fruit_new", "banana", "cherry", "apple", "durian"))


def program_everything():
    path = _checkpoint("everything", v=[1.0, 2.0], scope__w=[[3.0]], n=7.0)
    v = tf.get_variable("v", [2])
    with tf.variable_scope("scope"):
        w = tf.get_variable("w", [1, 1])
    n = tf.get_variable("n", [], trainable=False, initializer=tf.zeros_initializer())
    tf.train.warm_start(path)
    return {"v": v, "w": w, "n": n}


def program_one_file():
    path = _checkpoint("one_file", v=[1.0, 2.0])
    v = tf.get_variable("v", [2])
    tf.train.warm_start(path + "/model")
    return {"v": v}


def program_resources():
    path = _checkpoint("resources", v=[1.0, 2.0])
    v = tf.get_variable("v", [2], use_resource=True)
    tf.train.warm_start(path)
    return {"v": v}


def program_by_expression():
    path = _checkpoint("by_expression", a__v=[1.0], a__w=[2.0])
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
        w = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    tf.train.warm_start(path, vars_to_warm_start=".*v")
    return {"v": v, "w": w}


def program_by_names():
    path = _checkpoint("by_names", a__v=[1.0], b__w=[2.0], n=5.0)
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
    with tf.variable_scope("b"):
        w = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    n = tf.get_variable("n", [], trainable=False, initializer=tf.zeros_initializer())
    tf.train.warm_start(path, vars_to_warm_start=["n", "b"])
    return {"v": v, "w": w, "n": n}


def program_these_variables():
    path = _checkpoint("these_variables", v=[1.0], w=[2.0])
    v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
    w = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    tf.train.warm_start(path, vars_to_warm_start=[w])
    return {"v": v, "w": w}


def program_other_names():
    path = _checkpoint("other_names", old__v=[1.0], w=[2.0])
    v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
    w = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    tf.train.warm_start(path, var_name_to_prev_var_name={"v": "old/v"})
    return {"v": v, "w": w}


def program_two_from_one():
    path = _checkpoint("two_from_one", w=[2.0], a=[1.0])
    v = tf.get_variable("v", [1])
    w = tf.get_variable("w", [1])
    a = tf.get_variable("a", [1])
    tf.train.warm_start(path, var_name_to_prev_var_name={"v": "w"})
    return {"v": v, "w": w, "a": a}


def program_parts():
    path = _checkpoint("parts", p=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], v=[1.0])
    p = tf.get_variable("p", [3, 2], partitioner=tf.fixed_size_partitioner(2))
    v = tf.get_variable("v", [1])
    tf.train.warm_start(path)
    return {"p": tf.convert_to_tensor(p), "v": v}


def program_words():
    path = _checkpoint("words", embedding=ROWS, v=[4.0])
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [4, 2], initializer=tf.ones_initializer())
    v = tf.get_variable("v", [1])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new_vocab=new, new_vocab_size=4, num_oov_buckets=0, old_vocab=old)})
    return {"embedding": embedding, "v": v}


def program_only_words():
    path = _checkpoint("only_words", embedding=ROWS, v=[4.0])
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [4, 2], use_resource=True)
    v = tf.get_variable("v", [1], initializer=tf.ones_initializer())
    tf.train.warm_start(path, vars_to_warm_start=None, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 4, 0, old)})
    return {"embedding": embedding, "v": v}


def program_words_with_buckets():
    path = _checkpoint("words_with_buckets", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [6, 2])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 4, 2, old, backup_initializer=tf.ones_initializer())})
    return {"embedding": embedding}


def program_some_of_the_old_words():
    path = _checkpoint("some_words", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [3, 2])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 3, 0, old, 1, lambda shape: tf.fill(shape, 0.5))})
    return {"embedding": embedding}


def program_words_of_random_rows():
    path = _checkpoint("random_rows", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [5, 2])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 4, 1, old,
                                        backup_initializer=tf.random_uniform_initializer(seed=7))})
    return {"shape": tf.shape(embedding)}


def program_words_of_normal_rows():
    path = _checkpoint("normal_rows", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [4, 2])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 4, 0, old, backup_initializer=tf.truncated_normal_initializer(
            mean=1.0, stddev=0.5, seed=7))})
    return {"shape": tf.shape(embedding)}


def program_words_of_parts():
    path = _checkpoint("words_of_parts", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [6, 2], partitioner=tf.fixed_size_partitioner(3))
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 4, 2, old, backup_initializer=tf.ones_initializer())})
    return {"embedding": tf.convert_to_tensor(embedding)}


def program_buckets_in_a_part_of_their_own():
    path = _checkpoint("bucket_parts", embedding=ROWS)
    old, new = _fruit()
    embedding = tf.get_variable("embedding", [8, 2], partitioner=tf.fixed_size_partitioner(4))
    tf.train.warm_start(path, var_name_to_vocab_info={
        "embedding": tf.train.VocabInfo(new, 3, 5, old, backup_initializer=tf.ones_initializer())})
    return {"embedding": tf.convert_to_tensor(embedding)}


def program_columns():
    path = _checkpoint("columns", kernel=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    old, new = _fruit()
    kernel = tf.get_variable("kernel", [2, 4])
    tf.train.warm_start(path, var_name_to_vocab_info={
        "kernel": tf.train.VocabInfo(new, 4, 0, old, axis=1)})
    return {"kernel": kernel}


def program_columns_with_buckets_of_parts():
    path = _checkpoint("column_parts", kernel=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    old, new = _fruit()
    kernel = tf.get_variable("kernel", [3, 5], partitioner=tf.fixed_size_partitioner(2))
    tf.train.warm_start(path, var_name_to_vocab_info={
        "kernel": tf.train.VocabInfo(new, 4, 1, old, backup_initializer=tf.ones_initializer(), axis=1)})
    return {"kernel": tf.convert_to_tensor(kernel)}


def program_words_under_another_name():
    path = _checkpoint("words_renamed", old_embedding=ROWS)
    old, new = _fruit()
    with tf.name_scope("somewhere"):
        embedding = tf.get_variable("embedding", [4, 2])
        tf.train.warm_start(path, var_name_to_vocab_info={"embedding": tf.train.VocabInfo(new, 4, 0, old)},
                            var_name_to_prev_var_name={"embedding": "old_embedding"})
    return {"embedding": embedding}


def program_init_from_checkpoint_in_order_of_tensors():
    path = _checkpoint("in_order", b=[1.0], a=[2.0])
    v = tf.get_variable("v", [1])
    w = tf.get_variable("w", [1])
    tf.train.init_from_checkpoint(path, {"b": v, "a": "w"})
    return {"v": v, "w": w}
