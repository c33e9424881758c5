#include "rill/api/core/default_session.h"

#include <vector>

#include "rill/base/error.h"

namespace rill {
namespace {

std::vector<Session*>& sessions_here() {
  thread_local std::vector<Session*> sessions;
  return sessions;
}

Session& session_for(const Fetch& fetch, const char* what) {
  Session* const session = get_default_session();
  require(session != nullptr, "Cannot ", what,
          ": No default session is registered. Make one by a SessionAsDefault, or ask the session");
  const Graph& graph =
      fetch.operation() ? fetch.operation()->graph() : fetch.tensor().node->graph();
  require(&graph == &session->graph(), "Cannot use the default session to ", what,
          ": the tensor's graph is different from the session's graph.");
  return *session;
}

}  // namespace

Session* get_default_session() {
  return sessions_here().empty() ? nullptr : sessions_here().back();
}

SessionAsDefault::SessionAsDefault(Session& session) { sessions_here().push_back(&session); }
SessionAsDefault::~SessionAsDefault() { sessions_here().pop_back(); }

Tensor eval(const Fetch& tensor, const Feeds& feeds) {
  return session_for(tensor, "evaluate tensor using `eval()`").run_fetches({tensor}, feeds).at(0);
}
void run(Node& operation, const Feeds& feeds) {
  session_for(operation, "execute operation using `run()`").run_fetches({operation}, feeds);
}

}  // namespace rill
