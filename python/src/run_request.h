#pragma once

#include "feeds.h"
#include "fetches.h"

namespace rill::python {

// What a program asks a session for, as C++ takes it.
struct RunRequest {
  // What is wrong with feeds is said before what is wrong with fetches.
  RunRequest(GraphObject& graph, nb::handle fetch_structure, nb::handle feed_dict);

  std::vector<FedValue> given;
  std::vector<Feed> feeds;
  Fetches fetches;  // without tensors that are fed
};

}  // namespace rill::python
