"""What every argument and method of a Saver does: which files there are, and what they say."""
import pathlib
import shutil

import numpy as np
import tensorflow as tf

DIRECTORY = pathlib.Path("/tmp/rill_program_saver")


def _empty(name):
    """A directory of its own for a program."""
    shutil.rmtree(DIRECTORY / name, ignore_errors=True)
    (DIRECTORY / name).mkdir(parents=True)
    return str(DIRECTORY / name)


def _files(folder):
    return sorted(path.name for path in pathlib.Path(folder).iterdir())


def _state(folder, name="checkpoint"):
    return (pathlib.Path(folder) / name).read_text()


def _model(value=1.0):
    """A graph with a variable, and a session in which it has its value."""
    v = tf.get_variable("v", initializer=np.float32(value))
    session = tf.Session()
    session.run(v.initializer)
    return v, session


def _in_graph(function):
    """What a program does apart from the graph that is compared."""
    with tf.Graph().as_default():
        return function()


def program_files_of_a_save():
    folder = _empty("files")

    def run():
        v, session = _model()
        path = tf.train.Saver().save(session, folder + "/my-model", global_step=0)
        return {"path": path, "files": _files(folder), "state": _state(folder)}
    return _in_graph(run)


def program_names_with_steps():
    folder = _empty("steps")

    def run():
        v, session = _model()
        saver = tf.train.Saver()
        step = tf.train.get_or_create_global_step()
        session.run(step.initializer)
        return {"extension": saver.save(session, folder + "/my-model.ckpt", global_step=1000),
                "tensor": saver.save(session, folder + "/m", global_step=step),
                "numpy": saver.save(session, folder + "/m", global_step=np.int64(7)),
                "none": saver.save(session, folder + "/m"),
                "last": saver.last_checkpoints}
    return _in_graph(run)


def program_padded_steps():
    folder = _empty("padded")

    def run():
        v, session = _model()
        return {"path": tf.train.Saver(pad_step_number=True).save(session, folder + "/m", global_step=12)}
    return _in_graph(run)


def program_keeps_so_many():
    folder = _empty("keeps")

    def run():
        v, session = _model()
        saver = tf.train.Saver(max_to_keep=2)
        for step in range(4):
            saver.save(session, folder + "/m", global_step=step)
        return {"files": _files(folder), "state": _state(folder), "last": saver.last_checkpoints}
    return _in_graph(run)


def program_keeps_all():
    results = {}
    for how in (None, 0):
        folder = _empty(f"keeps_all_{how}")

        def run():
            v, session = _model()
            saver = tf.train.Saver(max_to_keep=how)
            for step in range(3):
                saver.save(session, folder + "/m", global_step=step)
            return {"files": _files(folder), "state": _state(folder), "last": saver.last_checkpoints}
        results[str(how)] = str(_in_graph(run))
    return results


def program_keeps_one_now_and_then():
    folder = _empty("now_and_then")

    def run():
        v, session = _model()
        saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=1e-9)
        for step in range(4):
            saver.save(session, folder + "/m", global_step=step, write_meta_graph=False)
        return {"files": _files(folder), "last": saver.last_checkpoints}
    return _in_graph(run)


def program_relative_paths():
    folder = _empty("relative")

    def run():
        v, session = _model()
        saver = tf.train.Saver(save_relative_paths=True)
        saver.save(session, folder + "/m", global_step=1)
        return {"state": _state(folder), "latest": tf.train.latest_checkpoint(folder)}
    return _in_graph(run)


def program_another_state_file():
    folder = _empty("state_file")

    def run():
        v, session = _model()
        saver = tf.train.Saver()
        saver.save(session, folder + "/m", latest_filename="best")
        return {"files": _files(folder), "state": _state(folder, "best"),
                "default": tf.train.latest_checkpoint(folder),
                "best": tf.train.latest_checkpoint(folder, "best")}
    return _in_graph(run)


def program_parts_of_a_save():
    folder = _empty("less")

    def run():
        v, session = _model()
        saver = tf.train.Saver()
        saver.save(session, folder + "/a", meta_graph_suffix="graph")
        saver.save(session, folder + "/b", write_meta_graph=False)
        saver.save(session, folder + "/c", write_state=False)
        return {"files": _files(folder), "state": _state(folder), "last": saver.last_checkpoints}
    return _in_graph(run)


def program_first_format():
    folder = _empty("first_format")

    def run():
        v, session = _model(3.0)
        saver = tf.train.Saver(write_version=tf.train.SaverDef.V1, max_to_keep=1)
        paths = [saver.save(session, folder + "/m", global_step=step) for step in range(2)]
        session.run(v.assign(0.0))
        saver.restore(session, paths[-1])
        return {"paths": paths, "files": _files(folder), "value": session.run(v)}
    return _in_graph(run)


def program_shards():
    folder = _empty("shards")

    def run():
        with tf.device("/cpu:0"):
            tf.get_variable("a", initializer=1.0)
        with tf.device("/cpu:1"):
            tf.get_variable("b", initializer=2.0)
        session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))
        session.run(tf.global_variables_initializer())
        results = {}
        for name, version in (("one", tf.train.SaverDef.V1), ("two", tf.train.SaverDef.V2)):
            saver = tf.train.Saver(sharded=True, write_version=version)
            results[name] = saver.save(session, f"{folder}/{name}", global_step=3)
            saver.restore(session, results[name])
            results["last_" + name] = saver.last_checkpoints
        return {**results, "files": _files(folder), "values": session.run(["a:0", "b:0"])}
    return _in_graph(run)


def program_reshape():
    folder = _empty("reshape")

    def save():
        tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return tf.train.Saver().save(session, folder + "/m")

    def restore(path):
        v = tf.get_variable("v", [4])
        with tf.Session() as session:
            tf.train.Saver(reshape=True).restore(session, path)
            return session.run(v)
    path = _in_graph(save)
    return {"v": _in_graph(lambda: restore(path))}


def program_other_names_in_the_checkpoint():
    folder = _empty("other_names")

    def run():
        v, session = _model(4.0)
        path = tf.train.Saver({"renamed": v}).save(session, folder + "/m")
        return {"listed": tf.train.list_variables(path), "value": tf.train.load_variable(path, "renamed")}
    return _in_graph(run)


def program_built_later():
    folder = _empty("built_later")

    def run():
        saver = tf.train.Saver(defer_build=True)
        before = saver.saver_def is None
        v, session = _model(4.0)
        saver.build()
        path = saver.save(session, folder + "/m")
        return {"before": before, "listed": tf.train.list_variables(path)}
    return _in_graph(run)


def program_nothing_to_save():
    folder = _empty("nothing")

    def run():
        saver = tf.train.Saver(allow_empty=True)
        with tf.Session() as session:
            path = saver.save(session, folder + "/m")
            saver.restore(session, folder + "/m")
        return {"path": path is None, "files": _files(folder)}
    return _in_graph(run)


def program_a_saver_from_its_message():
    folder = _empty("message")

    def run():
        v, session = _model(5.0)
        message = tf.train.Saver(max_to_keep=7, name="mine", filename="elsewhere").as_saver_def()
        nodes = len(tf.get_default_graph().get_operations())
        saver = tf.train.Saver.from_proto(message)
        again = tf.train.Saver(saver_def=message)
        path = saver.save(session, folder + "/m")
        session.run(v.assign(0.0))
        again.restore(session, path)
        return {"made": len(tf.get_default_graph().get_operations()) - nodes, "value": session.run(v),
                "keep": again.to_proto().max_to_keep, "scope": saver.to_proto("mine").save_tensor_name,
                "outside": saver.to_proto("other") is None}
    return _in_graph(run)


def program_what_there_was_before():
    folder = _empty("before")

    def run():
        v, session = _model()
        first = tf.train.Saver()
        paths = [first.save(session, folder + "/m", global_step=step) for step in range(3)]
        second = tf.train.Saver(max_to_keep=2)
        second.recover_last_checkpoints(paths[1:] + [folder + "/absent"])
        recovered = second.last_checkpoints
        second.save(session, folder + "/m", global_step=9)
        third = tf.train.Saver(max_to_keep=1)
        third.set_last_checkpoints([paths[2]])
        fourth = tf.train.Saver(max_to_keep=1)
        fourth.set_last_checkpoints_with_time([(paths[2], 0.0)])
        fourth.save(session, folder + "/m", global_step=10)
        return {"recovered": recovered, "second": second.last_checkpoints, "third": third.last_checkpoints,
                "fourth": fourth.last_checkpoints, "files": _files(folder)}
    return _in_graph(run)


def program_checkpoints_that_are_set_are_kept():
    folder = _empty("kept")

    def run():
        v, session = _model()
        first = tf.train.Saver().save(session, folder + "/first", write_meta_graph=False)
        saver = tf.train.Saver(max_to_keep=1)
        saver.set_last_checkpoints([first])
        saver.save(session, folder + "/second", write_meta_graph=False)
        return {"files": _files(folder)}
    return _in_graph(run)


def program_graph_and_values_from_files():
    folder = _empty("from_files")

    def save():
        v, session = _model(6.0)
        tf.multiply(v, 2.0, name="twice")
        return tf.train.Saver().save(session, folder + "/model.ckpt", global_step=100)

    def load():
        saver = tf.train.import_meta_graph(folder + "/model.ckpt-100.meta", clear_devices=True)
        with tf.Session() as session:
            saver.restore(session, tf.train.latest_checkpoint(folder))
            return {"twice": session.run("twice:0"), "name": saver.saver_def.save_tensor_name}
    _in_graph(save)
    return _in_graph(load)


def program_export_meta_graph():
    folder = _empty("export")

    def run():
        v, session = _model()
        saver = tf.train.Saver()
        message = saver.export_meta_graph(folder + "/m.meta", as_text=True, strip_default_attrs=True)
        part = saver.export_meta_graph(collection_list=["variables"], clear_devices=True)
        return {"files": _files(folder), "nodes": len(message.graph_def.node),
                "collections": sorted(message.collection_def), "some": sorted(part.collection_def)}
    return _in_graph(run)


def program_state_of_a_directory():
    folder = _empty("of_a_directory")
    tf.train.update_checkpoint_state(folder, "m-2", ["m-1", "m-2"])
    state = tf.train.get_checkpoint_state(folder)
    return {"text": _state(folder), "newest": state.model_checkpoint_path,
            "all": list(state.all_model_checkpoint_paths), "absent": tf.train.latest_checkpoint(folder) is None,
            "none": tf.train.get_checkpoint_state(folder + "/nowhere") is None}


def program_errors():
    folder = _empty("errors")

    def told(function):
        try:
            function()
        except Exception as error:
            return type(error).__name__
        return "nothing"

    def run():
        v, session = _model()
        saver = tf.train.Saver()
        other = tf.train.Saver({"absent": v})
        path = saver.save(session, folder + "/m")
        return {"no_variables": told(lambda: _in_graph(tf.train.Saver)),
                "deferred": told(lambda: tf.train.Saver(defer_build=True).save(session, folder + "/x")),
                "collides": told(lambda: saver.save(session, folder + "/checkpoint")),
                "path_in_name": told(lambda: saver.save(session, folder + "/y", latest_filename="a/b")),
                "no_session": told(lambda: saver.save(None, folder + "/z")),
                "no_path": told(lambda: saver.restore(session, None)),
                "no_checkpoint": told(lambda: saver.restore(session, folder + "/nothing")),
                "no_tensor": told(lambda: other.restore(session, path)),
                "list_and_later": told(lambda: tf.train.Saver([v], defer_build=True)),
                "bad_message": told(lambda: tf.train.Saver(saver_def=tf.train.SaverDef()))}
    return _in_graph(run)
