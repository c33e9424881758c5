#pragma once

#include "rill/api/core/session.h"

namespace rill {

// The session of this thread's innermost SessionAsDefault; nullptr where there is none.
Session* get_default_session();

// Makes `session` the default one of this thread while this object lives: Python's
// `with sess.as_default()`. Such objects end in the reverse order of their making, before the
// session.
//
//   const tf::SessionAsDefault as_default(sess);
//   tf::Tensor y = tf::eval(x, {{a, 1.f}});
class SessionAsDefault {
 public:
  [[nodiscard]] explicit SessionAsDefault(Session& session);
  ~SessionAsDefault();
  SessionAsDefault(const SessionAsDefault&) = delete;
  SessionAsDefault& operator=(const SessionAsDefault&) = delete;
};

// The value of a tensor or variable, or an operation run, in the default session. Throws
// InvalidArgument where there is none, or it runs another graph.
Tensor eval(const Fetch& tensor, const Feeds& feeds = {});
void run(Node& operation, const Feeds& feeds = {});

}  // namespace rill
