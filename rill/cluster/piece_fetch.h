#pragma once

#include <memory>

#include "rill/cluster/service.h"
#include "rill/tensor/tensor.h"

namespace tensorflow {
class RecvTensorRequest;
}

namespace rill::cluster {

// Tensors that are larger than a message may be come in pieces, if who asks for them says that he
// takes them so. TensorFlow's tasks do not.
void offer_to_take_pieces(tensorflow::RecvTensorRequest& request);
bool takes_pieces(const tensorflow::RecvTensorRequest& request);

inline constexpr const char* kReadPiece = "/rill.cluster.Task/ReadPiece";
// What is larger goes in pieces, to those who take them.
inline constexpr std::size_t kLargestWhole = std::size_t{1} << 30;

// Fills `value` with the bytes that the task has under the number `id`, a few pieces at a time.
// `done` is called once, from any thread. Returns what cancels it.
std::shared_ptr<net::PendingCall> fetch_pieces(const std::shared_ptr<Link>& link, std::int64_t id,
                                               const Tensor& value, Done done);

}  // namespace rill::cluster
