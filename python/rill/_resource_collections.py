"""tensorflow.python.ops.resources: what a program has to initialize beside variables."""

import collections

import rill

_Resource = collections.namedtuple("_Resource", "handle create is_initialized")
_SHARED, _LOCAL = "resources", "local_resources"


def register_resource(handle, create_op, is_initialized_op, is_shared=True):
    """Keeps a resource, so that initialize_resources() finds it."""
    rill.add_to_collection(_SHARED if is_shared else _LOCAL, _Resource(handle, create_op, is_initialized_op))


def shared_resources():
    """Those that all workers have in common."""
    return rill.get_collection(_SHARED)


def local_resources():
    """Those of one worker."""
    return rill.get_collection(_LOCAL)


def initialize_resources(resource_list, name="init"):
    """One operation that makes all of them."""
    return rill.group(*[resource.create for resource in resource_list], name=name) if resource_list else rill.no_op(name)


def report_uninitialized_resources(resource_list=None, name="report_uninitialized_resources"):
    """The names of those that are not there yet, as a vector of text."""
    found = resource_list if resource_list is not None else shared_resources() + local_resources()
    with rill.name_scope(name):
        if not found:
            return rill.constant([], rill.string)
        missing = rill.logical_not(rill.stack([resource.is_initialized for resource in found]))
        return rill.boolean_mask(rill.constant([resource.handle.name for resource in found]), missing)
