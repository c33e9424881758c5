#include "rill/net/grpc/client_call.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "rill/base/clock.h"
#include "rill/net/grpc/client_channel.h"

namespace rill::net {
namespace {

constexpr std::size_t kMostInPiece = std::numeric_limits<int>::max();

std::int64_t deadline_of(std::int64_t timeout_ms) {
  constexpr std::int64_t kLongest = std::int64_t{1000} * 3600 * 24 * 365;
  if (timeout_ms <= 0) return 0;
  return monotonic_nanos() + std::min(timeout_ms, kLongest) * 1'000'000;
}

// What gRPC makes of an answer that is none of its own.
Code code_of_http(const std::string& status) {
  if (status == "400") return Code::kInternal;
  if (status == "401") return Code::kUnauthenticated;
  if (status == "403") return Code::kPermissionDenied;
  if (status == "404") return Code::kUnimplemented;
  if (status == "429" || status == "502" || status == "503" || status == "504")
    return Code::kUnavailable;
  return Code::kUnknown;
}

}  // namespace

ClientCall::ClientCall(std::shared_ptr<ClientChannel> channel, RpcRequest request,
                       std::function<void(RpcResult)> finished)
    : channel_(std::move(channel)),
      request_(std::move(request)),
      finished_(std::move(finished)),
      deadline_(deadline_of(request_.timeout_ms)) {
  write_grpc_prefix(request_.body.size(), false, prefix_);
}

void ClientCall::cancel() { channel_->give_up(shared_from_this(), Code::kCancelled, "CANCELLED"); }

void ClientCall::expire() {
  channel_->give_up(shared_from_this(), Code::kDeadlineExceeded, "Deadline Exceeded");
}

void ClientCall::take_header(std::string_view name, std::string_view value) {
  if (name == ":status")
    http_status_ = value;
  else if (name == "grpc-status")
    status_ = value;
  else if (name == "grpc-message")
    message_ = percent_decoded(value);
}

void ClientCall::take_data(std::string_view bytes) {
  while (!bytes.empty() && !is_over_) {
    if (head_size_ < kGrpcPrefix) {
      head_[head_size_++] = bytes.front();
      bytes.remove_prefix(1);
      if (head_size_ < kGrpcPrefix) continue;
      if (head_[0] != 0) raise(Code::kInternal, "The answer is packed, which was not asked for");
      for (std::size_t i = 1; i < kGrpcPrefix; ++i)
        size_ = size_ << 8 | static_cast<unsigned char>(head_[i]);
      if (request_.sink != nullptr)
        request_.sink->begin(size_);
      else if (size_ > kMostInPiece)
        raise(Code::kResourceExhausted, "Received message larger than max (", size_, " vs. ",
              kMostInPiece, ")");
      continue;
    }
    if (bytes.size() > size_ - taken_)
      raise(Code::kInternal, "The answer of the call is longer than it says");
    taken_ += bytes.size();
    if (request_.sink != nullptr) {
      request_.sink->take(bytes);
    } else {
      // What is announced is only believed once half of it is there.
      if (taken_ > result_.body.capacity() && size_ / 2 <= taken_) result_.body.reserve(size_);
      result_.body.append(bytes);
    }
    return;
  }
}

void ClientCall::end_with_trailers() {
  long long code = 0;
  if (status_.empty() || !parse_int(status_, &code)) {
    end(http_status_ == "200" ? Code::kUnknown : code_of_http(http_status_),
        str_cat("The server answers without a status of gRPC, with HTTP ", http_status_));
  } else if (code != 0) {
    end(code > 0 && code <= 16 ? static_cast<Code>(code) : Code::kUnknown, message_);
  } else if (head_size_ < kGrpcPrefix || taken_ < size_) {
    end(Code::kInternal, "The call has ended before its answer had come");
  } else {
    end(Code::kOk, {});
  }
}

bool ClientCall::end(Code code, std::string message) {
  if (std::exchange(is_over_, true)) return false;
  result_.code = code;
  result_.message = std::move(message);
  return true;
}

void ClientCall::check_read(RpcResult& result) {
  if (result.code != Code::kOk || !request_.read) return;
  try {
    google::protobuf::io::ArrayInputStream bytes(result.body.data(),
                                                 static_cast<int>(result.body.size()));
    if (!request_.read(bytes))
      result = {Code::kInternal, "The answer is not what it should be", {}};
  } catch (...) {
    const Error error = current_error();
    result = {error.code(), error.message(), {}};
  }
}

void ClientCall::deliver() {
  RpcResult result = std::move(result_);
  check_read(result);
  if (result.code != Code::kOk || request_.read) result.body = {};
  const auto finished = std::exchange(finished_, nullptr);
  if (finished) finished(std::move(result));
}

}  // namespace rill::net
