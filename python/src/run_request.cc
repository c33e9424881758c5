#include "run_request.h"

#include "numpy.h"

namespace rill::python {
namespace {

std::vector<Feed> request_feeds(const std::vector<FedValue>& given) {
  std::vector<Feed> feeds;
  feeds.reserve(given.size());
  for (const FedValue& fed : given)
    feeds.push_back({fed.target, feed_value(fed.target, fed.given)});
  return feeds;
}

}  // namespace

RunRequest::RunRequest(GraphObject& graph, nb::handle fetch_structure, nb::handle feed_dict)
    : given(feed_pairs(graph, feed_dict)),
      feeds(request_feeds(given)),
      fetches(graph, fetch_structure) {
  for (const FedValue& fed : given)
    if (fetches.wants(fed.target))
      fetches.set_fed(fed.target, numpy_from_feed(fed.given, fed.target.dtype()));
  if (!given.empty()) fetches.forget_fed_tensors();
}

}  // namespace rill::python
