"""What protoc's gRPC plugin would write for the services of a .proto file: stubs, servicers, and the older beta stubs.

The package grpc is asked for when a stub is made, so that messages alone do not need it.
"""

import functools
import types

from google.protobuf import message_factory

from rill import proto


def has_services(path):
    """Whether a .proto file declares services."""
    return bool(proto._file_protos()[path].service)


def python_name(path):
    """The name of the module that the plugin would write."""
    return proto.python_name(path) + "_grpc"


def _messages(method):
    return (message_factory.GetMessageClass(method.input_type), message_factory.GetMessageClass(method.output_type))


def _kind(method):
    """unary_unary, stream_unary, ..., as channels and handlers call it."""
    return "_".join("stream" if streams else "unary" for streams in (method.client_streaming, method.server_streaming))


def _stub_class(service):
    def __init__(self, channel):
        for method in service.methods:
            request, response = _messages(method)
            make = getattr(channel, _kind(method))
            setattr(self, method.name, make(f"/{service.full_name}/{method.name}",
                                            request_serializer=request.SerializeToString,
                                            response_deserializer=response.FromString))
    return type(f"{service.name}Stub", (), {"__init__": __init__, "__doc__": f"Calls {service.full_name}."})


def _servicer_class(service):
    def refusing(name):
        def method(self, request, context):
            import grpc
            context.set_code(grpc.StatusCode.UNIMPLEMENTED)
            context.set_details("Method not implemented!")
            raise NotImplementedError("Method not implemented!")
        method.__name__ = name
        return method
    members = {method.name: refusing(method.name) for method in service.methods}
    return type(f"{service.name}Servicer", (), {**members, "__doc__": f"To be subclassed: {service.full_name}."})


def _adder(service):
    def add_to_server(servicer, server):
        import grpc
        handlers = {}
        for method in service.methods:
            request, response = _messages(method)
            make = getattr(grpc, f"{_kind(method)}_rpc_method_handler")
            handlers[method.name] = make(getattr(servicer, method.name), request_deserializer=request.FromString,
                                         response_serializer=response.SerializeToString)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, handlers),))
    return add_to_server


def _beta_stub(service):
    """What clients of 2016 call: stub.Predict(request, 10.0) and stub.Predict.future(request, 10.0)."""
    def create_stub(channel, host=None, metadata_transformer=None, pool=None, pool_size=None):
        from grpc.beta import implementations
        from grpc.framework.common import cardinality
        full_names = {method: (service.full_name, method.name) for method in service.methods}
        options = implementations.stub_options(
            host=host, metadata_transformer=metadata_transformer, thread_pool=pool, thread_pool_size=pool_size,
            request_serializers={full_names[m]: _messages(m)[0].SerializeToString for m in service.methods},
            response_deserializers={full_names[m]: _messages(m)[1].FromString for m in service.methods})
        cardinalities = {m.name: cardinality.Cardinality[_kind(m).upper()] for m in service.methods}
        return implementations.dynamic_stub(channel, service.full_name, cardinalities, options=options)
    return create_stub


def add_beta_stubs(module):
    """Adds to a module of messages the functions that the plugin once put there."""
    for service in module.DESCRIPTOR.services_by_name.values():
        setattr(module, f"beta_create_{service.name}_stub", _beta_stub(service))


@functools.cache
def module(path):
    """The stubs of one .proto file."""
    made = types.ModuleType(python_name(path), f"Clients and servers of the services of {path}.")
    for service in proto.module(path).DESCRIPTOR.services_by_name.values():
        adder = _adder(service)
        for cls in (_stub_class(service), _servicer_class(service)):
            cls.__module__ = made.__name__
            setattr(made, cls.__name__, cls)
        setattr(made, f"add_{service.name}Servicer_to_server", adder)
    return made
