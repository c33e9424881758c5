#include "rill/cluster/piece_fetch.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr std::size_t kPieceBytes = 64 << 20;
constexpr int kAtOnce = 3;
constexpr const char* kTakesPieces = "rill.cluster/takes_pieces";

// Puts one piece where it belongs.
class PieceSink final : public net::AnswerSink {
 public:
  PieceSink(char* to, std::size_t size) : to_(to), size_(size) {}
  void begin(std::size_t size) override {
    require(size == size_, "A piece of a tensor has ", size, " bytes, and not ", size_);
  }
  void take(std::string_view bytes) override {
    std::memcpy(to_ + taken_, bytes.data(), bytes.size());
    taken_ += bytes.size();
  }

 private:
  char* const to_;
  const std::size_t size_;
  std::size_t taken_ = 0;
};

class PieceFetch final : public net::PendingCall, public std::enable_shared_from_this<PieceFetch> {
 public:
  PieceFetch(std::shared_ptr<Link> link, std::int64_t id, const Tensor& value, Done done)
      : link_(std::move(link)),
        id_(id),
        value_(value),
        bytes_(static_cast<char*>(value_.raw_data())),
        size_(value_.byte_size()),
        done_(std::move(done)) {}

  void start() {
    for (int i = 0; i < kAtOnce; ++i) ask();
  }

  void cancel() override { end(Error(Code::kCancelled, "Nobody wants the tensor any more")); }

 private:
  void ask() {
    std::size_t offset = 0;
    {
      const std::lock_guard lock(mutex_);
      if (is_over_ || next_ >= size_) return;
      offset = next_;
      next_ += std::min(kPieceBytes, size_ - next_);
      ++running_;
    }
    const std::size_t size = std::min(kPieceBytes, size_ - offset);
    auto request = std::make_shared<wire::PieceRequest>();
    request->set_id(id_);
    request->set_offset(static_cast<std::int64_t>(offset));
    request->set_size(static_cast<std::int64_t>(size));
    const auto sink = std::make_shared<PieceSink>(bytes_ + offset, size);
    const auto read = [to = bytes_ + offset,
                       size](google::protobuf::io::ZeroCopyInputStream& bytes) {
      PieceSink all(to, size);
      const void* part = nullptr;
      int count = 0;
      std::size_t seen = 0;
      while (bytes.Next(&part, &count)) {
        seen += static_cast<std::size_t>(count);
        if (seen > size) return false;
        all.take({static_cast<const char*>(part), static_cast<std::size_t>(count)});
      }
      return seen == size;
    };
    auto call = link_->call(
        kReadPiece, request, Link::Read(read), {.sink = sink},
        [self = shared_from_this()](std::optional<Error> error) { self->came(std::move(error)); });
    const std::lock_guard lock(mutex_);
    if (call != nullptr && !is_over_) calls_.push_back(std::move(call));
  }

  void came(std::optional<Error> error) {
    bool is_last = false;
    {
      const std::lock_guard lock(mutex_);
      --running_;
      is_last = running_ == 0 && next_ >= size_;
    }
    if (error) return end(std::move(error));
    if (is_last) return end({});
    ask();
  }

  // The memory stays until the last piece on its way was taken or dropped: calls hold on to this.
  void end(std::optional<Error> error) {
    std::vector<std::shared_ptr<net::PendingCall>> calls;
    Done done;
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_over_, true)) return;
      calls.swap(calls_);
      done.swap(done_);
    }
    if (error)
      for (const auto& call : calls) call->cancel();
    done(std::move(error));
  }

  const std::shared_ptr<Link> link_;
  const std::int64_t id_;
  Tensor value_;
  char* const bytes_;
  const std::size_t size_;
  std::mutex mutex_;
  Done done_;
  std::vector<std::shared_ptr<net::PendingCall>> calls_;
  std::size_t next_ = 0;
  int running_ = 0;
  bool is_over_ = false;
};

}  // namespace

void offer_to_take_pieces(tensorflow::RecvTensorRequest& request) {
  request.mutable_transport_options()->set_type_url(kTakesPieces);
}

bool takes_pieces(const tensorflow::RecvTensorRequest& request) {
  return request.transport_options().type_url() == kTakesPieces;
}

std::shared_ptr<net::PendingCall> fetch_pieces(const std::shared_ptr<Link>& link, std::int64_t id,
                                               const Tensor& value, Done done) {
  const auto fetch = std::make_shared<PieceFetch>(link, id, value, std::move(done));
  fetch->start();
  return fetch;
}

}  // namespace rill::cluster
