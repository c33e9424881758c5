#pragma once

#include "rill/net/http/http_server.h"
#include "rill/serve/service/service.h"

namespace rill::serve {

// KServe's paths below /v2: health, metadata, readiness and inference. Throws InvalidArgument for
// one that there is not.
void handle_kserve(const Service& service, const net::HttpRequest& request,
                   const net::HttpReply& reply);

}  // namespace rill::serve
