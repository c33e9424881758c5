"""What finds the processes of a cluster."""

import json
import os

from rill import _rill
from rill._cluster import ClusterSpec


def format_master_url(master, rpc_layer=None):
    """The address with the protocol in front, where there is one."""
    return f"{rpc_layer}://{master}" if rpc_layer else master


class ClusterResolver:
    """Tells of a cluster: subclasses say where it is."""

    task_type = task_id = rpc_layer = None

    def __init__(self):
        pass

    def cluster_spec(self):
        """The processes."""
        raise NotImplementedError("cluster_spec is not implemented for {}.".format(type(self)))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        raise NotImplementedError("master is not implemented for {}.".format(type(self)))

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """How many accelerators a task has, by kind."""
        master = self.master(task_type, task_id)
        import rill
        if not master:
            devices = [device.device_type for device in rill.config.experimental.list_physical_devices()]
        else:
            with rill.Session(master, config=config_proto) as session:
                devices = [device.device_type for device in session.list_devices()]
        found = {}
        for kind in devices:
            if kind in ("GPU", "TPU"):
                found[kind] = found.get(kind, 0) + 1
        return found

    @property
    def environment(self):
        """"google" inside of Google, else nothing."""
        return ""


class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program names."""

    def __init__(self, cluster_spec, master="", task_type=None, task_id=None, environment="", num_accelerators=None,
                 rpc_layer=None):
        super().__init__()
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec, self._master, self._environment = cluster_spec, master, environment
        self._num_accelerators = num_accelerators
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer

    def cluster_spec(self):
        """The processes."""
        return self._cluster_spec

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        if task_type is not None and task_id is not None:
            return format_master_url(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._master

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """How many accelerators a task has, by kind."""
        return {} if self._num_accelerators is None else self._num_accelerators

    @property
    def environment(self):
        """What the program said."""
        return self._environment


class TFConfigClusterResolver(ClusterResolver):
    """What the environment variable TF_CONFIG says."""

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=None):
        super().__init__()
        self._task_type, self._task_id = task_type, task_id
        self._rpc_layer, self._environment = rpc_layer, environment

    @staticmethod
    def _config():
        return json.loads(os.environ.get("TF_CONFIG") or "{}")

    @property
    def environment(self):
        """What the program or TF_CONFIG says."""
        return self._environment if self._environment is not None else self._config().get("environment", "")

    @property
    def task_type(self):
        """The job of this process."""
        if self._task_type is not None:
            return self._task_type
        kind = self._config().get("task", {}).get("type")
        return str(kind) if kind is not None else None

    @task_type.setter
    def task_type(self, task_type):
        self._task_type = task_type

    @property
    def task_id(self):
        """The number of this process in its job."""
        if self._task_id is not None:
            return self._task_id
        index = self._config().get("task", {}).get("index")
        return int(index) if index is not None else None

    @task_id.setter
    def task_id(self, task_id):
        self._task_id = task_id

    @property
    def rpc_layer(self):
        """The protocol."""
        return self._rpc_layer if self._rpc_layer is not None else self._config().get("rpc_layer")

    @rpc_layer.setter
    def rpc_layer(self, rpc_layer):
        self._rpc_layer = rpc_layer

    def cluster_spec(self):
        """The processes."""
        return ClusterSpec(self._config().get("cluster", {}))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        session_master = self._config().get("session_master")
        if session_master is not None:
            return session_master
        cluster = self.cluster_spec()
        if not cluster.jobs or (len(cluster.jobs) == 1 and cluster.num_tasks(cluster.jobs[0]) == 1):
            return ""
        task_type = task_type if task_type is not None else self.task_type
        task_id = task_id if task_id is not None else self.task_id
        return format_master_url(cluster.task_address(task_type, task_id), rpc_layer or self.rpc_layer)


class UnionClusterResolver(ClusterResolver):
    """Several clusters as one: tasks of a job that more than one of them has follow each other."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._rpc_layer = kwargs.pop("rpc_layer", None)
        self._task_type = kwargs.pop("task_type", None)
        self._task_id = kwargs.pop("task_id", None)
        if kwargs:
            raise ValueError("Unexpected kwargs provided {!r}".format(kwargs))
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        for resolver in args:
            if not isinstance(resolver, ClusterResolver):
                raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args

    def cluster_spec(self):
        """The processes of all of them."""
        merged = {}
        for resolver in self._resolvers:
            cluster = resolver.cluster_spec()
            for job in cluster.jobs:
                tasks = {index: cluster.task_address(job, index) for index in cluster.task_indices(job)}
                known = merged.setdefault(job, {})
                if any(index in known for index in tasks):
                    first = max(known) + 1
                    tasks = {first + place: address for place, (_, address) in enumerate(sorted(tasks.items()))}
                known.update(tasks)
        return ClusterSpec(merged)

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        if task_type is not None and task_id is not None:
            return format_master_url(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    @property
    def environment(self):
        """The first one's."""
        return self._resolvers[0].environment

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """The first one's."""
        return self._resolvers[0].num_accelerators(task_type, task_id, config_proto)

    @property
    def task_type(self):
        """What the program said, else the first one's."""
        return self._task_type or self._resolvers[0].task_type

    @task_type.setter
    def task_type(self, task_type):
        self._task_type = task_type

    @property
    def task_id(self):
        """What the program said, else the first one's."""
        return self._task_id if self._task_id is not None else self._resolvers[0].task_id

    @task_id.setter
    def task_id(self, task_id):
        self._task_id = task_id

    @property
    def rpc_layer(self):
        """What the program said, else the first one's."""
        return self._rpc_layer or self._resolvers[0].rpc_layer

    @rpc_layer.setter
    def rpc_layer(self, rpc_layer):
        self._rpc_layer = rpc_layer


class SlurmClusterResolver(ClusterResolver):
    """The tasks that srun started, given to jobs in order."""

    def __init__(self, jobs, port_base=8888, gpus_per_node=1, gpus_per_task=1, tasks_per_node=None, auto_set_gpu=True,
                 rpc_layer="grpc"):
        super().__init__()
        cluster, self.task_type, self.task_id, gpus = _rill.slurm_cluster(
            sorted((str(job), int(count)) for job, count in jobs.items()), int(port_base), int(gpus_per_node),
            int(gpus_per_task), None if tasks_per_node is None else int(tasks_per_node))
        self._cluster_spec, self.rpc_layer = ClusterSpec(cluster), rpc_layer
        if auto_set_gpu:
            os.environ["CUDA_VISIBLE_DEVICES"] = gpus

    def cluster_spec(self):
        """The processes."""
        return self._cluster_spec

    def get_task_info(self):
        """The job and number of this process."""
        return self.task_type, self.task_id

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        task_type = task_type if task_type is not None else self.task_type
        task_id = task_id if task_id is not None else self.task_id
        return format_master_url(self._cluster_spec.task_address(task_type, task_id), rpc_layer or self.rpc_layer)


class KubernetesClusterResolver(ClusterResolver):
    """The running pods with some labels."""

    def __init__(self, job_to_label_mapping=None, tf_server_port=8470, rpc_layer="grpc", override_client=None):
        super().__init__()
        if override_client is None:
            try:
                from kubernetes import client, config
            except ImportError:
                raise ImportError("The Kubernetes Python client must be installed before using the Kubernetes Cluster "
                                  "Resolver. To install the Kubernetes Python client, run `pip install kubernetes` on "
                                  "your command line.") from None
            config.load_kube_config()
            override_client = client.CoreV1Api()
        self._client = override_client
        self._labels = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}
        self._port, self.rpc_layer = tf_server_port, rpc_layer

    def cluster_spec(self):
        """The pods, all of which must be running."""
        jobs = {}
        for job, selectors in self._labels.items():
            addresses = []
            for selector in selectors:
                pods = self._client.list_pod_for_all_namespaces(label_selector=selector).items
                for pod in sorted(pods, key=lambda one: one.metadata.name):
                    if pod.status.phase != "Running":
                        raise RuntimeError('Pod "%s" is not running; phase: "%s"'
                                           % (pod.metadata.name, pod.status.phase))
                    addresses.append("%s:%s" % (pod.status.host_ip, self._port))
            jobs[job] = addresses
        return ClusterSpec(jobs)

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        task_type = task_type if task_type is not None else self.task_type
        task_id = task_id if task_id is not None else self.task_id
        if task_type is None or task_id is None:
            return ""
        return format_master_url(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)


class GCEClusterResolver(ClusterResolver):
    """The running instances of a group of Google's Compute Engine."""

    def __init__(self, project, zone, instance_group, port, task_type="worker", task_id=0, rpc_layer="grpc",
                 credentials="default", service=None):
        super().__init__()
        if service is None:
            try:
                from googleapiclient import discovery
            except ImportError:
                raise ImportError("googleapiclient must be installed before using the GCE cluster resolver. Execute: "
                                  "`pip install --upgrade google-api-python-client` to install with pip.") from None
            options = {} if credentials in ("default", None) else {"credentials": credentials}
            service = discovery.build("compute", "v1", **options)
        self._service, self._project, self._zone = service, project, zone
        self._group, self._port = instance_group, port
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer

    def cluster_spec(self):
        """The running instances."""
        addresses = []
        listing = self._service.instanceGroups()
        request = listing.listInstances(project=self._project, zone=self._zone, instanceGroup=self._group,
                                        body={"instanceState": "RUNNING"}, orderBy="name")
        while request is not None:
            response = request.execute()
            for item in response.get("items", []):
                instance = self._service.instances().get(project=self._project, zone=self._zone,
                                                         instance=item["instance"].split("/")[-1]).execute()
                addresses.append("%s:%s" % (instance["networkInterfaces"][0]["networkIP"], self._port))
            request = listing.listInstances_next(previous_request=request, previous_response=response)
        return ClusterSpec({self.task_type: sorted(addresses)})

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Where sessions are opened."""
        task_type = task_type if task_type is not None else self.task_type
        task_id = task_id if task_id is not None else self.task_id
        if task_type is None or task_id is None:
            return ""
        return format_master_url(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)


class TPUClusterResolver(ClusterResolver):
    """There are no TPUs to be found."""

    def __init__(self, tpu=None, *args, **kwargs):
        from rill.tpu import _no_tpu
        _no_tpu(f"TPUClusterResolver(tpu={tpu!r})")

    def get_master(self):
        """Where sessions are opened."""
        return self.master()

    def get_job_name(self):
        """The job of the TPUs' workers."""
        return self.task_type
