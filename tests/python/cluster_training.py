"""A training on a cluster of processes that are killed and stopped at moments that a seed says.

Run as a program with TASK in the environment it is one of the tasks; with `--rounds N --seed S` it tries N faults and says
what came of them.
"""
import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAST_STEP = 700
FAULTS_UNTIL = 500  # the rest of the training is left alone
# A step that waits for a lost task is given up after 20 seconds; then a session is opened anew, and workers look every 30
# seconds whether the chief has done so.
CHIEF_BOUND, WORKER_BOUND = 60, 90


def task_program():
    import rill as tf

    task = json.loads(os.environ["TASK"])
    cluster = tf.train.ClusterSpec(task["cluster"])
    server = tf.train.Server(cluster, job_name=task["job"], task_index=task["index"])
    if task["job"] == "ps":
        server.join()
    tf.logging.set_verbosity(tf.logging.ERROR)
    here = "/job:worker/task:%d" % task["index"]
    with tf.device(tf.train.replica_device_setter(worker_device=here, cluster=cluster)):
        v = tf.get_variable("v", [1000], initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        with tf.control_dependencies([v.assign_add(tf.ones([1000]))]):
            train = step.assign_add(1)
    # A worker needs the parameter servers and itself: other workers may come and go.
    config = tf.ConfigProto(device_filters=["/job:ps", here])
    with tf.train.MonitoredTrainingSession(
            server.target, is_chief=task["index"] == 0, checkpoint_dir=task["dir"], save_checkpoint_steps=40,
            save_checkpoint_secs=None, save_summaries_steps=None, save_summaries_secs=None, log_step_count_steps=0,
            config=config, hooks=[tf.train.StopAtStepHook(last_step=task["last_step"])]) as sess:
        while not sess.should_stop():
            print(sess.run(train), flush=True)
            time.sleep(task["pause"])
    print("end", flush=True)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Task:
    """One task of the cluster: its process, and how far it says it is."""

    def __init__(self, training, job, index):
        self.training, self.job, self.index = training, job, index
        self.name = f"{job}{index}"
        self.start()

    def start(self):
        about = {"cluster": self.training.cluster, "job": self.job, "index": self.index, "dir": self.training.folder,
                 "pause": self.training.pause, "last_step": self.training.last_step}
        self.step, self.steps, self.has_ended, self.heard = 0, 0, False, time.monotonic()
        self.errors = open(os.path.join(self.training.folder, f"{self.name}.log"), "ab")
        self.process = subprocess.Popen(
            [*self.training.prefix(self), os.path.join(ROOT, "bin", "rill"), "run", os.path.abspath(__file__)],
            env=dict(os.environ, TASK=json.dumps(about), RILL_FSYNC="0", **self.training.environment),
            stdout=subprocess.PIPE, stderr=self.errors, text=True)
        threading.Thread(target=self.listen, args=[self.process], daemon=True).start()

    def listen(self, process):
        for line in process.stdout:
            if process is not self.process:
                return
            self.heard = time.monotonic()
            if line == "end\n":
                self.has_ended = True
            else:
                self.step, self.steps = int(line), self.steps + 1

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


class Training:
    """A parameter server, a chief and a worker."""

    def __init__(self, folder, last_step=LAST_STEP, pause=0.02, hosts=None, environment=None, prefix=None):
        self.folder, self.last_step, self.pause = folder, last_step, pause
        self.environment, self.prefix = environment or {}, prefix or (lambda task: [])
        hosts = hosts or [f"localhost:{port}" for port in free_ports(3)]
        self.cluster = {"ps": hosts[:1], "worker": hosts[1:]}
        self.tasks = [Task(self, "ps", 0)]
        self.tasks += [Task(self, "worker", i) for i in range(len(hosts) - 1)]
        self.workers = self.tasks[1:]
        self.chief = self.workers[0]
        self.longest = {"chief": 0.0, "worker": 0.0}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for task in self.tasks:
            task.kill()

    def wait(self, who, until, bound, what):
        """Until `until(who)`; fails where `who` says nothing for longer than the bound."""
        kind = "chief" if who is self.chief else "worker"
        begin = time.monotonic()
        while not until(who):
            silent = time.monotonic() - max(begin, who.heard)
            if silent > bound:
                raise AssertionError(f"{who.name} said nothing for {silent:.1f} s, {what}\n{self.logs()}")
            if who.process.poll() not in (None, 0):
                raise AssertionError(f"{who.name} ended with {who.process.returncode}, {what}\n{self.logs()}")
            self.longest[kind] = max(self.longest[kind], silent)
            time.sleep(0.01)

    def logs(self):
        texts = []
        for task in self.tasks:
            with open(os.path.join(self.folder, f"{task.name}.log")) as log:
                texts.append(f"--- {task.name}, step {task.step}\n{log.read()[-3000:]}")
        return "\n".join(texts)

    def goes_on(self, what, steps=3):
        """The chief has taken some more steps."""
        chief = self.chief
        before = chief.steps
        self.wait(chief, lambda c: c.steps >= before + steps or c.has_ended, CHIEF_BOUND, what)

    def fault(self, chance):
        """One of the tasks is killed and started again, or stands still for a while. Says which."""
        time.sleep(chance.uniform(0, 0.5))
        task = chance.choice(self.tasks)
        if task.has_ended:
            return f"{task.name} has ended"
        if chance.random() < 0.6:
            away = chance.choice([0, 0, chance.uniform(0, 2)])
            task.kill()
            time.sleep(away)
            task.start()
            what = f"{task.name} was killed and away for {away:.1f} s"
        else:
            still = chance.uniform(21, 25) if chance.random() < 0.1 else chance.uniform(0.1, 2)
            task.process.send_signal(signal.SIGSTOP)
            time.sleep(still)
            task.process.send_signal(signal.SIGCONT)
            what = f"{task.name} stood still for {still:.1f} s"
        self.goes_on("after " + what)
        return what

    def finish(self):
        """All workers come to their end, at the last step."""
        for worker in self.workers:
            self.wait(worker, lambda w: w.has_ended, CHIEF_BOUND if worker is self.chief else WORKER_BOUND, "at the end")
            if worker.process.wait(30) != 0:
                raise AssertionError(f"{worker.name} ended with {worker.process.returncode}\n{self.logs()}")

    def saved_step(self):
        with open(os.path.join(self.folder, "checkpoint")) as state:
            newest = state.readline()
        return int(newest.rpartition("-")[2].rstrip('"\n'))


def try_faults(rounds, seed, tell=lambda text: None):
    """Trainings until so many faults were tried; gives the longest silences."""
    done, training_seed, longest = 0, seed, {"chief": 0.0, "worker": 0.0}
    while done < rounds:
        chance = random.Random(training_seed)
        with tempfile.TemporaryDirectory() as folder, Training(folder) as training:
            training.goes_on("at the start", 1)
            while done < rounds and training.chief.step < FAULTS_UNTIL:
                what = training.fault(chance)
                done += 1
                tell(f"{done}: {what}; the chief is at step {training.chief.step}")
            training.finish()
            saved = training.saved_step()
            # The other worker's last step may come while the chief reads what it saves.
            if not training.last_step <= saved <= training.last_step + 1:
                raise AssertionError(f"seed {training_seed} ended at step {saved}\n{training.logs()}")
            longest = {kind: max(longest[kind], training.longest[kind]) for kind in longest}
            tell(f"seed {training_seed} ended at step {saved}; longest silences {training.longest}")
        training_seed += 1
    return longest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = time.monotonic()
    longest = try_faults(options.rounds, options.seed, lambda text: print(text, flush=True))
    print(f"{options.rounds} faults, {time.monotonic() - begin:.0f} s, longest silences {longest}")


if __name__ == "__main__":
    if "TASK" in os.environ:
        task_program()
    else:
        sys.exit(main())
