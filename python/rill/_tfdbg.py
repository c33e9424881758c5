"""tf_debug, that is tensorflow.python.debug: watches, dumps, and sessions and hooks under a debugger."""

from rill._tfdbg_data import (DebugDumpDir, DebugTensorDatum, has_inf_or_nan, load_tensor_from_event,
                              load_tensor_from_event_file, reconstruct_non_debug_graph_def)
from rill._tfdbg_gradients import GradientsDebugger
from rill._tfdbg_sessions import (DumpingDebugHook, DumpingDebugWrapperSession, GrpcDebugHook, GrpcDebugWrapperSession,
                                  LocalCLIDebugHook, LocalCLIDebugWrapperSession, RecordingDebugWrapperSession,
                                  TensorBoardDebugHook, TensorBoardDebugWrapperSession)
from rill._tfdbg_watch import (WatchOptions, add_debug_tensor_watch, watch_graph, watch_graph_with_blacklists,
                               watch_graph_with_denylists)

__all__ = [
    "DebugDumpDir", "DebugTensorDatum", "DumpingDebugHook", "DumpingDebugWrapperSession", "GradientsDebugger",
    "GrpcDebugHook", "GrpcDebugWrapperSession", "LocalCLIDebugHook", "LocalCLIDebugWrapperSession",
    "RecordingDebugWrapperSession", "TensorBoardDebugHook", "TensorBoardDebugWrapperSession", "WatchOptions",
    "add_debug_tensor_watch",
    "has_inf_or_nan", "load_tensor_from_event", "load_tensor_from_event_file", "reconstruct_non_debug_graph_def",
    "watch_graph", "watch_graph_with_blacklists", "watch_graph_with_denylists"]
