#pragma once

#include "rill/net/http/http_server.h"

namespace rill::serve {

// A page for people: it lists models, versions and signatures and lets one be tried. It holds no
// data; its script asks for them as any client does, with a token where one is wanted.
net::HttpResponse page_response();

}  // namespace rill::serve
