"""Which tasks a cluster has, and which of them nodes go to."""

import os

from rill import _rill, proto


def _cluster_def_class():
    return proto.module("tensorflow/core/protobuf/cluster.proto").ClusterDef


class ClusterSpec:
    """The jobs of a cluster and the addresses of their tasks."""

    def __init__(self, cluster):
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, dict):
            self._jobs = {name: _tasks_of(name, tasks) for name, tasks in cluster.items()}
        elif isinstance(cluster, _cluster_def_class()):
            self._jobs = {job.name: dict(job.tasks) for job in cluster.job}
        else:
            raise TypeError("`cluster` must be a dictionary mapping one or more job names to lists of network "
                            "addresses, or a `ClusterDef` protocol buffer")
        self.as_cluster_def()  # refuses names and addresses that are no text

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __repr__(self):
        items = ", ".join(f"{name!r}: {tasks!r}" for name, tasks in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{items}}})"

    def as_dict(self):
        """{job: addresses}; where numbers are left out, {job: {number: address}}."""
        return {name: self.job_tasks(name) if len(tasks) == max(tasks, default=-1) + 1 and tasks else dict(tasks)
                for name, tasks in self._jobs.items()}

    def as_cluster_def(self):
        """The message."""
        message = _cluster_def_class()()
        for name, tasks in sorted(self._jobs.items()):
            if not isinstance(name, (str, bytes)):
                raise TypeError(f"Job name {name!r} must be bytes or unicode")
            job = message.job.add()
            job.name = name
            for number, address in sorted(tasks.items()):
                if not isinstance(address, (str, bytes)):
                    raise TypeError(f"Task address {address!r} must be bytes or unicode")
                job.tasks[number] = address
        return message

    @property
    def jobs(self):
        """The names of the jobs."""
        return list(self._jobs)

    def _tasks(self, job_name):
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def num_tasks(self, job_name):
        """How many tasks a job has."""
        return len(self._tasks(job_name))

    def task_indices(self, job_name):
        """The numbers of its tasks."""
        return sorted(self._tasks(job_name))

    def task_address(self, job_name, task_index):
        """The address of one task."""
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name):
        """The addresses of its tasks by number; None where a number is left out."""
        tasks = self._tasks(job_name)
        return [tasks.get(number) for number in range(max(tasks, default=-1) + 1)]


def _tasks_of(job_name, tasks):
    if isinstance(tasks, (list, tuple)):
        return dict(enumerate(tasks))
    if isinstance(tasks, dict):
        return {int(number): address for number, address in tasks.items()}
    raise TypeError(f"The tasks for job {job_name!r} must be a list or a dictionary from integers to strings.")


def _server_def(server_or_cluster_def, job_name, task_index, protocol, config):
    """The message that tells a server which task it is."""
    server_def = proto.module("tensorflow/core/protobuf/tensorflow_server.proto").ServerDef()
    if isinstance(server_or_cluster_def, type(server_def)):
        server_def.CopyFrom(server_or_cluster_def)
    else:
        server_def.cluster.CopyFrom(ClusterSpec(server_or_cluster_def).as_cluster_def())
        cluster = ClusterSpec(server_def.cluster)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            indices = cluster.task_indices(job_name)
            if len(indices) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = indices[0]
        server_def.protocol = protocol or "grpc"
    if job_name is not None:
        server_def.job_name = job_name
    if task_index is not None:
        server_def.task_index = int(task_index)
    if protocol is not None:
        server_def.protocol = protocol
    if config is not None:
        server_def.default_session_config.MergeFrom(config)
    return server_def


class Server:
    """A task of a cluster, in this process. `tf.Session(server.target)` runs there and on the other tasks."""

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None, config=None, start=True, *,
                 certificate="", key="", authority="", token="", refuse="", allow=""):
        """The arguments behind `start` are not TensorFlow's: who may connect, and what is not run for them."""
        self._server_def = _server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        limits = {"certificate": certificate, "key": key, "authority": authority, "token": token, "refuse": refuse,
                  "allow": allow}
        self._server = _rill.ClusterServer(self._server_def.SerializeToString(),
                                           {name: os.fspath(value) for name, value in limits.items()})
        if start:
            self.start()

    def start(self):
        """Starts it; it listens since it was made."""
        self._server.start()

    def join(self):
        """Waits until it ends, which is never unless the process is interrupted."""
        self._server.join()

    @property
    def server_def(self):
        """The message that says which task it is."""
        return self._server_def

    @property
    def target(self):
        """What a tf.Session takes to reach it: "grpc://localhost:2222"."""
        return self._server.target

    @staticmethod
    def create_local_server(config=None, start=True):
        """The only task of a cluster, at a free port of this machine."""
        return Server({"localhost": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def replica_device_setter(ps_tasks=0, ps_device="/job:ps", worker_device="/job:worker", merge_devices=True,
                          cluster=None, ps_ops=None, ps_strategy=None):
    """A function for tf.device that puts variables on the tasks that serve parameters, the rest on a worker."""
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        ps_tasks = len(jobs.get(_rill.DeviceSpec.from_string(ps_device).job) or ())
    if ps_tasks == 0:
        return None
    if ps_strategy is not None and not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    return _rill.replica_device_setter(ps_tasks, ps_device or "", worker_device or "", merge_devices, ps_ops,
                                       ps_strategy)
