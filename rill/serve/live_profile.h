#pragma once

#include "rill/net/grpc/rpc_call.h"
#include "rill/net/http/http_request.h"

namespace rill::serve {

// Answers "GET /debug/profile?seconds=5&model=NAME&format=timeline|pprof|run_metadata": what the
// steps of a model, or of all, did meanwhile. Returns at once; a thread of its own waits.
void answer_profile(const net::HttpRequest& request, const net::HttpReply& reply);

// tensorflow.ProfilerService, which gives the same: as RunMetadata, as a timeline ("trace_viewer"),
// and as pprof's bytes. It writes no files, wherever a request wants them.
net::RpcMethods profiler_methods();

}  // namespace rill::serve
