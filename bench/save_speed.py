"""How quickly checkpoints are written, beside what the disk takes, and how long they hold up training.

usage: save_speed.py [--mib M] [--rounds N] [--folder DIRECTORY]

The disk's speed is that of one file of as many bytes, written in pieces of 8 MiB and synced once.
"""
import argparse
import os
import pathlib
import statistics
import tempfile
import time

import serving  # noqa: F401  finds Rill

WAYS = {"nothing synced": (False, False), "saves wait": (True, False), "in the background": (True, True)}


def write_plainly(path, mib):
    piece = os.urandom(8 << 20)
    began = time.monotonic()
    with open(path, "wb", buffering=0) as file:
        for _ in range(mib // 8):
            file.write(piece)
        os.fsync(file.fileno())
    return time.monotonic() - began


def saves(folder, mib, rounds):
    """For each way: how long a save held its caller up, and until all was on the disk."""
    import tensorflow as tf
    from rill import checkpoints
    count = max(1, mib // 16)
    shape = [mib // count * 2**18] if mib >= 1 else [1]
    tf.train.get_or_create_global_step()
    for i in range(count):
        tf.get_variable(f"v{i}", shape, initializer=tf.initializers.random_uniform(seed=i))
    hooks = {name: tf.train.CheckpointSaverHook(str(folder / name), save_steps=1, saver=tf.train.Saver(max_to_keep=2))
             for name in WAYS}
    for hook in hooks.values():
        hook.begin()
    results = {name: ([], []) for name in WAYS}
    plain = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for number in range(rounds):
            if mib >= 8:
                plain.append(write_plainly(folder / "plain", mib))
                os.remove(folder / "plain")
            for name, (durable, background) in WAYS.items():
                checkpoints.set_durable(durable)
                checkpoints.set_background(background)
                os.sync()
                began = time.monotonic()
                hooks[name]._save(session, number)
                results[name][0].append(time.monotonic() - began)
                assert tf.train.latest_checkpoint(str(folder / name))  # waits
                results[name][1].append(time.monotonic() - began)
    return plain, results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder, ignore_cleanup_errors=True) as folder:
        plain, results = saves(pathlib.Path(folder), args.mib, args.rounds)
    disk = statistics.median(plain) if plain else 0
    print(f"{args.mib} MiB" + (f", the disk takes them in {disk:.3f} s ({args.mib / disk:.0f} MiB/s)" if disk else ""))
    for name, (held_up, whole) in results.items():
        part = f", {disk / statistics.median(whole):.0%} of the disk's speed" if disk else ""
        print(f"{name}: training waits {statistics.median(held_up):.3f} s, on the disk after "
              f"{statistics.median(whole):.3f} s{part}")


if __name__ == "__main__":
    main()
