// How a task gives out what its steps send to other tasks.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "rill/base/clock.h"
#include "rill/cluster/piece_fetch.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/worker.h"
#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {

// Whether this process is the one that the key means, and not one that was there before it.
void Worker::check_source(const std::string& key) const {
  const std::size_t first = key.find(';'), second = key.find(';', first + 1);
  require(second != std::string::npos, "Invalid  rendezvous key: ", key);
  const std::string name = key.substr(0, first);
  const auto it = std::ranges::find(devices_, name, [](const auto& d) { return d->name(); });
  require(it != devices_.end(), options_.task, " has no device ", name);
  const std::uint64_t wanted =
      std::strtoull(key.substr(first + 1, second - first - 1).c_str(), nullptr, 16);
  if (wanted != (*it)->incarnation())
    raise(Code::kAborted, "RecvTensor expects a different device incarnation: ", wanted, " vs. ",
          (*it)->incarnation(), ". Your worker job (\"", options_.task,
          "\") was probably restarted. Check your worker job for the reason why it was restarted.");
}

void Worker::recv_tensor(const std::shared_ptr<net::RpcCall>& call) {
  tensorflow::RecvTensorRequest request;
  require(request.ParseFromZeroCopyStream(&call->request()), "The request is no RecvTensorRequest");
  check_source(request.rendezvous_key());
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  std::int64_t watched = 0;
  const net::CallLimits limits = call->limits();
  const std::shared_ptr<StepRendezvous> meeting = rendezvous(request.step_id());
  if (limits.is_gone)  // its answer is wanted no more, but what was sent is taken
    watched = watch_.add(limits.is_gone, [is_over, call] {
      if (!is_over->exchange(true))
        call->fail(Error(Code::kCancelled, "Who asked for the tensor is gone."));
    });
  const bool in_pieces = takes_pieces(request);
  const auto answer = [this, is_over, watched, call, in_pieces, id = request.step_id()](
                          std::exception_ptr error, Tensor value, bool is_dead) {
    if (watched != 0) watch_.forget(watched);
    if (is_over->exchange(true)) return;
    try {
      if (error) std::rethrow_exception(error);
      reply_tensor(*call, id, in_pieces, std::move(value), is_dead);
    } catch (...) {
      call->fail(current_error());
    }
  };
  meeting->receive_here(request.rendezvous_key(), answer);
}

// With the tensor's own bytes; who changes it meanwhile works on a copy.
void Worker::reply_tensor(net::RpcCall& call, std::int64_t step_id, bool takes_pieces, Tensor value,
                          bool is_dead) {
  const bool is_large =
      !is_dead && is_sent_plain(value) && value.byte_size() > kLargestWhole && takes_pieces;
  if (!is_large) {
    const auto kept = std::make_shared<const Tensor>(std::move(value));
    WrittenTensor written =
        write_tensor_message({.value = *kept, .is_dead = is_dead}, wall_micros());
    return call.reply_bytes(std::move(written.head), written.body, kept);
  }
  const std::int64_t number = new_request_id();
  std::string offer = write_pieces_message(value, number, wall_micros());
  {
    const std::lock_guard lock(mutex_);
    const auto it = steps_.find(step_id);
    if (it == steps_.end()) raise(Code::kAborted, "Step ", step_id, " is over");
    it->second.pieces.push_back(number);
    pieces_.emplace(number, std::move(value));
  }
  call.reply_bytes(std::move(offer), {}, nullptr);
}

void Worker::read_piece(const std::shared_ptr<net::RpcCall>& call) {
  wire::PieceRequest request;
  require(request.ParseFromZeroCopyStream(&call->request()), "The request is no PieceRequest");
  std::shared_ptr<const Tensor> value;
  {
    const std::lock_guard lock(mutex_);
    const auto it = pieces_.find(request.id());
    if (it == pieces_.end())
      raise(Code::kAborted, "There are no pieces ", request.id(), " any more");
    value = std::make_shared<const Tensor>(it->second);
  }
  const auto size = static_cast<std::int64_t>(value->byte_size());
  require(request.offset() >= 0 && request.size() >= 0 && request.offset() <= size &&
              request.size() <= size - request.offset(),
          "A tensor of ", size, " bytes has no piece of ", request.size(), " bytes at ",
          request.offset());
  const std::string_view bytes(static_cast<const char*>(value->raw_data()) + request.offset(),
                               static_cast<std::size_t>(request.size()));
  call->reply_bytes({}, bytes, value);
}

void Worker::forget_pieces(const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return;
  std::vector<Tensor> gone;  // end without the lock
  const std::lock_guard lock(mutex_);
  for (const std::int64_t number : numbers)
    if (const auto it = pieces_.find(number); it != pieces_.end()) {
      gone.push_back(std::move(it->second));
      pieces_.erase(it);
    }
}

}  // namespace rill::cluster
