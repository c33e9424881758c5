#include "rill/net/grpc/grpc_call.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "rill/base/clock.h"

namespace rill::net {
namespace {

// A longer text does not fit into the headers that clients accept.
constexpr std::size_t kLongestMessage = 4000;
constexpr int kEventsInTurn = 16;
constexpr std::int64_t kEarnedByMessage = 4;         // frames that clients send beside it
constexpr std::uint64_t kUnsentOfStream = 64 << 10;  // beyond, no message is taken
constexpr std::size_t kLargeRequest = 16 << 10;      // may be refused before all of it has come
constexpr std::string_view kAccepted = "identity, deflate, gzip";
const std::string kOpenPrefix = "/grpc.health.v1.Health/";  // to everyone

nghttp2_nv header(std::string_view name, std::string_view value) {
  return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(),
          value.size(), NGHTTP2_NV_FLAG_NO_COPY_NAME};
}

}  // namespace

GrpcCall::GrpcCall(std::shared_ptr<GrpcConnection> connection, std::int32_t stream)
    : connection_(std::move(connection)),
      stream_(stream),
      heard_(monotonic_nanos()),
      reader_of_messages_(static_cast<std::uint64_t>(connection_->host().max_request_bytes)) {}

GrpcCall::~GrpcCall() { connection_->host().held_bytes -= held_; }

void GrpcCall::take_header(std::string_view name, std::string_view value) {
  if (name == ":method")
    http_method_ = value;
  else if (name == ":path")
    path_ = value;
  else if (name == "content-type")
    content_type_ = value;
  else if (name == "authorization" && authorization_.empty())
    authorization_ = value;
  else if (name == "grpc-encoding")
    encoding_ = value;
  else if (name == "grpc-timeout")
    timeout_ = value;
  else if (name == "grpc-accept-encoding")
    accepts_gzip_ = value.find("gzip") != std::string_view::npos;
  else if (name == "x-request-id" && record_.id.empty())
    record_.id = value;
  else if (name == "traceparent")
    record_.traceparent = value;
}

std::optional<Error> GrpcCall::refusal() const {
  const GrpcHost& host = connection_->host();
  if (has_too_many_headers_)
    return Error(Code::kResourceExhausted, "The call has more headers than are taken");
  if (!grpc_encoding(encoding_))
    return Error(Code::kUnimplemented,
                 str_cat("There is no grpc-encoding ", quoted(encoding_), " here"));
  if (path_.starts_with(kOpenPrefix)) return std::nullopt;
  if (host.is_draining) return Error(Code::kUnavailable, "The server is shutting down");
  if (host.authorizer == nullptr || !host.authorizer->is_needed()) return std::nullopt;
  return host.authorizer->refusal(authorization_);
}

void GrpcCall::end_headers() {
  GrpcHost& host = connection_->host();
  record_.id = request_id(record_.id);
  if (host.on_call) {
    record_.method = path_;
    record_.peer = connection_->peer_;
    record_.began_micros = wall_micros();
    record_.received_nanos = monotonic_nanos();
  }
  if (http_method_ != "POST") return answer_http("405");
  if (!content_type_.starts_with("application/grpc")) return answer_http("415");
  if (const auto nanos = grpc_timeout_nanos(timeout_)) deadline_ = monotonic_nanos() + *nanos;
  if (const auto error = refusal()) return end_with(*error);
  packing_ = *grpc_encoding(encoding_);
  if (const auto unary = host.methods.find(path_); unary != host.methods.end()) {
    method_ = &unary->second;
    kind_ = Kind::kUnary;
    is_working_ = true;
    ++host.working;
    connection_->uploads_.push_back(stream_);
    return;
  }
  const auto stream = host.streams.find(path_);
  if (stream == host.streams.end())
    return end_with(Error(Code::kUnimplemented, str_cat("There is no method ", path_)));
  stream_method_ = &stream->second;
  kind_ = Kind::kStream;
  queue();
}

void GrpcCall::answer_http(const char* status) {
  const auto head = header(":status", status);
  nghttp2_submit_response(connection_->session_, stream_, &head, 1, nullptr);
}

// Whether the client may send more than its window lets it.
bool GrpcCall::is_taking() const {
  if (kind_ == Kind::kStream) return !message_;
  if (kind_ == Kind::kUnknown) return true;
  return connection_->held_ <= connection_->host().limits.held_freely ||
         connection_->uploads_.empty() || connection_->uploads_.front() == stream_;
}

void GrpcCall::take_data(std::string_view bytes) {
  if (kind_ == Kind::kUnknown || is_finished_) return;
  GrpcHost& host = connection_->host();
  heard_ = monotonic_nanos();
  held_ += bytes.size();
  if (kind_ == Kind::kUnary) connection_->held_ += bytes.size();
  try {
    if ((host.held_bytes += bytes.size()) > host.limits.max_held_bytes)
      raise(Code::kResourceExhausted, "There is too much to read at the same time");
    if (kind_ == Kind::kStream) {
      waiting_.append(bytes);
    } else {
      if (const auto error = early_refusal(bytes)) return end_with(error);
      take_message(&bytes);
    }
    if (!bytes.empty() && kind_ == Kind::kUnary)
      raise(Code::kInternal, "The call takes one message, and more have come");
    take_waiting();
  } catch (...) {
    return end_with(current_error());
  }
  if (kind_ == Kind::kStream) queue();
}

// Of a large request, by its first bytes: the rest of it is then neither taken nor read.
std::optional<Error> GrpcCall::early_refusal(std::string_view first) {
  const GrpcHost& host = connection_->host();
  const bool is_plain = first.size() > kGrpcPrefix && first[0] == 0;
  if (!host.refuse_early || reader_of_messages_.has_begun() || message_ || !is_plain)
    return std::nullopt;
  std::size_t size = 0;
  for (std::size_t i = 1; i < kGrpcPrefix; ++i)
    size = size << 8 | static_cast<unsigned char>(first[i]);
  first.remove_prefix(kGrpcPrefix);
  if (size < kLargeRequest || size <= first.size()) return std::nullopt;
  return host.refuse_early(path_, first, limits());
}

void GrpcCall::take_message(std::string_view* bytes) {
  if (message_ || bytes->empty() || !reader_of_messages_.feed(bytes)) return;
  message_ = reader_of_messages_.take();
  connection_->control_.earn(kEarnedByMessage);
}

// One message of a stream is made of the bytes that have come; the rest stays bytes, which take
// less room than messages would.
void GrpcCall::take_waiting() {
  if (message_ || waiting_.empty()) return;
  std::string_view bytes = std::string_view(waiting_).substr(waiting_at_);
  take_message(&bytes);
  waiting_at_ = waiting_.size() - bytes.size();
  constexpr std::size_t kMoveAt = 64 << 10;
  if (!bytes.empty() && waiting_at_ < kMoveAt) return;
  waiting_.erase(0, waiting_at_);
  waiting_at_ = 0;
}

void GrpcCall::end_request() {
  has_ended_ = true;
  if (kind_ == Kind::kStream) return queue();
  if (kind_ != Kind::kUnary || is_finished_) return;
  std::erase(connection_->uploads_, stream_);
  connection_->held_ -= std::min(connection_->held_, held_);
  connection_->give_window();
  received_ = monotonic_nanos();
  if (!message_ || reader_of_messages_.has_begun())
    return end_with(Error(Code::kInternal, "The call has ended before its message had come"));
  connection_->ready(shared_from_this());
}

void GrpcCall::end_with(const std::optional<Error>& error) {
  if (is_over_) note_end(Code::kCancelled);
  if (is_finished_ || is_over_) return;
  is_finished_ = true;
  note_end(error ? error->code() : Code::kOk);
  submit(error);
}

void GrpcCall::note_end(Code code) {
  if (std::exchange(is_noted_, true)) return;
  ++(code == Code::kOk ? connection_->counts_.succeeded : connection_->counts_.failed);
  const GrpcHost& host = connection_->host();
  if (host.on_call) host.on_call(record_, code);
}

void GrpcCall::submit(const std::optional<Error>& error) {
  if (connection_->session_ == nullptr || is_over_) return;
  error_ = error;
  // Each is another, so the client is not asked to remember it.
  const auto id_header = [this] {
    nghttp2_nv id = header("x-request-id", record_.id);
    id.flags = NGHTTP2_NV_FLAG_NO_INDEX | NGHTTP2_NV_FLAG_NO_COPY_NAME;
    return id;
  };
  if (has_head_) {
    if (std::exchange(is_waiting_for_more_, false))
      nghttp2_session_resume_data(connection_->session_, stream_);
    return;
  }
  has_head_ = true;
  if (error && out_.empty()) {
    const std::string code = std::to_string(static_cast<int>(error->code()));
    const std::string text = percent_encoded(error->message().substr(0, kLongestMessage));
    const std::array<nghttp2_nv, 6> head{header(":status", "200"),
                                         header("content-type", "application/grpc"),
                                         header("grpc-status", code),
                                         header("grpc-message", text),
                                         header("grpc-accept-encoding", kAccepted),
                                         id_header()};
    nghttp2_submit_response(connection_->session_, stream_, head.data(), head.size(), nullptr);
    return;
  }
  std::array<nghttp2_nv, 5> head{
      header(":status", "200"), header("content-type", "application/grpc"),
      header("grpc-accept-encoding", kAccepted), id_header(), header("grpc-encoding", "gzip")};
  const bool is_packed = connection_->host().packs_answers && accepts_gzip_;
  nghttp2_data_provider body{};
  body.source.ptr = this;
  body.read_callback = [](nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t size,
                          std::uint32_t* flags, nghttp2_data_source* source, void*) {
    return static_cast<GrpcCall*>(source->ptr)->next_of_answer(size, flags);
  };
  nghttp2_submit_response(connection_->session_, stream_, head.data(),
                          head.size() - (is_packed ? 0 : 1), &body);
}

// How much of the answer goes into the next frame. Its bytes stay where they are: see send_answer.
ssize_t GrpcCall::next_of_answer(std::size_t size, std::uint32_t* flags) {
  const std::size_t count = std::min<std::size_t>(size, unsent_);
  *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
  if (count < unsent_) return static_cast<ssize_t>(count);
  if (is_finished_) {
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    send_trailers();
  } else if (count == 0) {
    is_waiting_for_more_ = true;
    return NGHTTP2_ERR_DEFERRED;
  }
  return static_cast<ssize_t>(count);
}

void GrpcCall::send_answer(std::size_t size, OutQueue& out) {
  unsent_ -= size;
  connection_->unsent_ -= size;
  connection_->watch_sent_ += size;
  connection_->control_.earn(static_cast<std::int64_t>(size / 512));
  while (size > 0) {
    const Piece& first = out_.front();
    const std::size_t count = std::min(size, first.bytes.size() - out_at_);
    out.add(first.bytes.substr(out_at_, count), first.owner);
    size -= count;
    out_at_ += count;
    if (out_at_ < first.bytes.size()) break;
    out_.pop_front();
    out_at_ = 0;
    connection_->control_.earn(kEarnedByMessage);
  }
  if (kind_ == Kind::kStream) queue();
}

void GrpcCall::send_trailers() {
  const std::string code = std::to_string(error_ ? static_cast<int>(error_->code()) : 0);
  const std::string text =
      error_ ? percent_encoded(error_->message().substr(0, kLongestMessage)) : std::string();
  const std::array<nghttp2_nv, 2> trailers{header("grpc-status", code),
                                           header("grpc-message", text)};
  nghttp2_submit_trailer(connection_->session_, stream_, trailers.data(), text.empty() ? 1 : 2);
}

// The client has left, or has its answer. What the request held is given back at once if nobody
// works on it.
void GrpcCall::end() {
  is_over_ = true;
  if (kind_ != Kind::kUnknown && !is_begun_) note_end(Code::kCancelled);
  GrpcHost& host = connection_->host();
  if (std::exchange(is_working_, false)) --host.working;
  connection_->unsent_ -= std::exchange(unsent_, 0);
  if (std::exchange(is_wide_, false)) --connection_->wide_;
  out_.clear();
  if (kind_ == Kind::kUnary && !has_ended_) {
    std::erase(connection_->uploads_, stream_);
    connection_->held_ -= std::min(connection_->held_, held_);
    connection_->give_window();
  }
  if (kind_ == Kind::kStream) queue();
}

CallLimits GrpcCall::limits() {
  CallLimits limits{.deadline_nanos = deadline_,
                    .is_gone = [call = shared_from_this()] { return call->is_over_.load(); },
                    .received_nanos = received_,
                    .record = {}};
  if (!connection_->host().on_call && record_.traceparent.empty())
    return limits;  // nobody reads it
  if (kind_ == Kind::kUnary)
    limits.record = {shared_from_this(), &record_};
  else
    limits.record = std::make_shared<CallRecord>(record_);  // a stream's is its own
  return limits;
}

// What is above belongs to whoever has the connection; what is below may be anywhere.

void GrpcCall::work() {
  if (kind_ == Kind::kUnary) return run_unary();
  for (int i = 0; i < kEventsInTurn; ++i)
    if (!run_event()) return;
  connection_->host().enqueue(shared_from_this());
}

std::string GrpcCall::unpack(GrpcMessageReader::Message message) {
  if (!message.is_packed) return std::move(message.bytes);
  GrpcHost& host = connection_->host();
  std::string bytes =
      unpacked(message.bytes, packing_, static_cast<std::uint64_t>(host.max_request_bytes));
  {
    const std::lock_guard lock(connection_->mutex_);
    held_ += bytes.size();
  }
  if ((host.held_bytes += bytes.size()) > host.limits.max_held_bytes)
    raise(Code::kResourceExhausted, "There is too much to read at the same time");
  return bytes;
}

void GrpcCall::run_unary() {
  {
    const std::lock_guard lock(connection_->mutex_);
    if (is_over_ || connection_->postpone(shared_from_this())) return;
    is_begun_ = true;
  }
  try {
    request_ = unpack(*std::move(message_));
    reader_.emplace(request_.data(), static_cast<int>(request_.size()));
    (*method_)(shared_from_this());
  } catch (...) {  // methods do not throw but for want of memory
    fail(current_error());
  }
}

bool GrpcCall::has_event() const {
  if (!is_open_) return true;
  if (is_over_) return !was_told_over_;
  // What was answered is read before more is asked.
  return wants_message_ && unsent_ <= kUnsentOfStream &&
         (message_ || (has_ended_ && !was_told_end_));
}

// Has its turn come for what happened to the stream; with the mutex.
void GrpcCall::queue() {
  if (is_queued_ || !has_event()) return;
  is_queued_ = true;
  connection_->host().enqueue(shared_from_this());
}

// Tells a stream of the next thing that happened to it; false when there is none.
bool GrpcCall::run_event() {
  std::unique_lock lock(connection_->mutex_);
  if (!has_event()) {
    is_queued_ = false;
    return false;
  }
  try {
    if (!std::exchange(is_open_, true)) {
      lock.unlock();
      events_ = (*stream_method_)(shared_from_this());
    } else if (is_over_) {
      was_told_over_ = true;
      lock.unlock();
      // The events hold on to this.
      const RpcStreamEvents events = std::exchange(events_, {});
      if (events.on_over) events.on_over();
    } else if (message_) {
      wants_message_ = false;
      auto message = *std::exchange(message_, std::nullopt);
      take_waiting();
      const std::uint64_t size = std::min<std::uint64_t>(held_, message.bytes.size() + kGrpcPrefix);
      held_ -= size;
      connection_->host().held_bytes -= size;
      if (!message_ && connection_->session_ != nullptr && withheld_ > 0) {
        nghttp2_session_consume_stream(connection_->session_, stream_, std::exchange(withheld_, 0));
        connection_->send_or_gather();
      }
      lock.unlock();
      if (events_.on_message) events_.on_message(unpack(std::move(message)));
    } else {
      was_told_end_ = true;
      lock.unlock();
      events_.on_end ? events_.on_end() : finish({});
    }
  } catch (...) {
    if (lock.owns_lock()) lock.unlock();
    finish(current_error());
  }
  return true;
}

std::string GrpcCall::framed(const google::protobuf::MessageLite& message) const {
  const std::size_t size = message.ByteSizeLong();
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    raise(Code::kResourceExhausted, "The answer is larger than a message may be");
  if (connection_->host().packs_answers && accepts_gzip_)
    return with_grpc_prefix(gzipped(message.SerializeAsString()), true);
  std::string bytes(kGrpcPrefix + size, '\0');
  write_grpc_prefix(size, false, bytes.data());
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(bytes.data()) +
                                          kGrpcPrefix);
  return bytes;
}

void GrpcCall::reply(const google::protobuf::MessageLite& message) {
  std::string bytes;
  try {
    bytes = framed(message);
  } catch (...) {
    return fail(current_error());
  }
  end_with_pieces({piece_of(std::move(bytes))});
}

void GrpcCall::reply_bytes(std::string head, std::string_view body,
                           std::shared_ptr<const void> owner) {
  const std::size_t size = head.size() + body.size();
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return fail(Error(Code::kResourceExhausted, "The answer is larger than a message may be"));
  std::string first(kGrpcPrefix, '\0');
  write_grpc_prefix(size, false, first.data());
  std::vector<Piece> pieces{piece_of(first + head)};
  if (!body.empty()) pieces.push_back({body, std::move(owner)});
  end_with_pieces(std::move(pieces));
}

GrpcCall::Piece GrpcCall::piece_of(std::string bytes) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  return {*kept, kept};
}

void GrpcCall::end_with_pieces(std::vector<Piece> pieces) {
  const std::lock_guard lock(connection_->mutex_);
  if (is_over_) note_end(Code::kCancelled);
  if (is_over_ || is_finished_) return;
  for (Piece& piece : pieces) write_piece(std::move(piece));
  is_finished_ = true;
  note_end(Code::kOk);
  submit({});
  connection_->send_or_gather();
}

void GrpcCall::write_piece(Piece piece) {
  const std::size_t size = piece.bytes.size();
  unsent_ += size;
  connection_->unsent_ += size;
  out_.push_back(std::move(piece));
}

void GrpcCall::read() {
  const std::lock_guard lock(connection_->mutex_);
  wants_message_ = true;
  queue();
}

void GrpcCall::write(std::string message) {
  const bool is_packed = connection_->host().packs_answers && accepts_gzip_;
  std::string bytes =
      is_packed ? with_grpc_prefix(gzipped(message), true) : with_grpc_prefix(message);
  const std::lock_guard lock(connection_->mutex_);
  if (is_over_ || is_finished_) return;
  write_piece(piece_of(std::move(bytes)));
  submit({});
  connection_->send_or_gather();
}

std::size_t GrpcCall::unsent_bytes() {
  const std::lock_guard lock(connection_->mutex_);
  return unsent_;
}

void GrpcCall::finish(const std::optional<Error>& error) {
  const std::lock_guard lock(connection_->mutex_);
  end_with(error);
  connection_->send_or_gather();
}

}  // namespace rill::net
