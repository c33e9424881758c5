#include "rill/net/grpc/client_connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "rill/base/clock.h"
#include "rill/net/grpc/client_host.h"
#include "rill/net/socket/connect.h"

namespace rill::net {
namespace {

constexpr std::size_t kReadAtOnce = 256 << 10;
constexpr std::size_t kGatherTo = 256 << 10;  // frames that are sent at once
constexpr std::int32_t kWindow = 64 << 20;    // of answers that come unasked
constexpr std::uint32_t kStreamWindow = 16 << 20, kFrame = 1 << 20;

std::span<char> buffer_of_thread() {
  thread_local std::vector<char> buffer(kReadAtOnce);
  return buffer;
}

std::string_view bytes_view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

nghttp2_nv request_header(std::string_view name, std::string_view value,
                          std::uint8_t flags = NGHTTP2_NV_FLAG_NONE) {
  return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(),
          value.size(), flags};
}

std::string authorization_of(const ClientSecurity* security) {
  return security == nullptr || security->token.empty() ? std::string()
                                                        : "Bearer " + security->token;
}

}  // namespace

// What nghttp2 tells, with the mutex.
struct ClientCallbacks {
  static ClientConnection& self(void* user) { return *static_cast<ClientConnection*>(user); }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    if (const auto call = self(user).call_of(frame->hd.stream_id))
      call->take_header(bytes_view(name, name_size), bytes_view(value, value_size));
    return 0;
  }

  static int on_data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                     const std::uint8_t* data, std::size_t size, void* user) {
    ClientConnection& own = self(user);
    const auto call = own.call_of(id);
    if (call == nullptr || call->is_over()) return 0;
    try {
      call->take_data(bytes_view(data, size));
    } catch (...) {
      const Error error = current_error();
      if (call->end(error.code(), error.message())) own.ended_.push_back(call);
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    }
    return 0;
  }

  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    ClientConnection& own = self(user);
    if (frame->hd.type == NGHTTP2_GOAWAY) own.is_leaving_ = true;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
    const auto call = own.call_of(frame->hd.stream_id);
    if (call == nullptr) return 0;
    const bool was_over = call->is_over();
    call->end_with_trailers();
    if (!was_over) own.ended_.push_back(call);
    // A server that has answered need not get the rest.
    if (nghttp2_session_get_stream_local_close(session, frame->hd.stream_id) == 0)
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_CANCEL);
    return 0;
  }

  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
    ClientConnection& own = self(user);
    const auto call = own.call_of(id);
    if (call == nullptr) return 0;
    own.calls_.erase(id);
    if (!call->is_over()) own.closed_stream(call, code);
    return 0;
  }

  // The bytes stay where they are: see send_data.
  static ssize_t read_request(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t size,
                              std::uint32_t* flags, nghttp2_data_source* source, void*) {
    const auto& call = *static_cast<ClientCall*>(source->ptr);
    const std::size_t left = kGrpcPrefix + call.request().body.size() - call.sent;
    const std::size_t count = std::min(left, size);
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (count == left) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
  }

  static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head, std::size_t size,
                       nghttp2_data_source* source, void* user) {
    constexpr std::size_t kFrameHead = 9;
    ClientConnection& own = self(user);
    auto& call = *static_cast<ClientCall*>(source->ptr);
    own.out_.add(bytes_view(head, kFrameHead));
    if (call.sent < kGrpcPrefix) {
      const std::size_t count = std::min(size, kGrpcPrefix - call.sent);
      own.out_.add({call.prefix() + call.sent, count});
      call.sent += count;
      size -= count;
    }
    if (size == 0) return 0;
    own.out_.add(std::string_view(call.request().body).substr(call.sent - kGrpcPrefix, size),
                 call.shared_from_this());
    call.sent += size;
    return 0;
  }

  static ssize_t read_length(nghttp2_session*, std::uint8_t, std::int32_t,
                             std::int32_t session_window, std::int32_t stream_window,
                             std::uint32_t max_frame, void*) {
    const auto window = std::min(session_window, stream_window);
    return std::min<ssize_t>({window, static_cast<ssize_t>(max_frame), kFrame});
  }

  static nghttp2_session* session(ClientConnection* connection) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session* session = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return nullptr;
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_session_callbacks_set_send_data_callback(callbacks, send_data);
    nghttp2_session_callbacks_set_data_source_read_length_callback(callbacks, read_length);
    nghttp2_session_client_new(&session, callbacks, connection);
    nghttp2_session_callbacks_del(callbacks);
    return session;
  }
};

std::shared_ptr<ClientConnection> ClientConnection::make(
    const std::shared_ptr<ClientChannel>& channel, int timeout_ms, std::string* why) {
  const Connected connected = connect_to(channel->address(), timeout_ms);
  if (connected.socket < 0) {
    *why = connected.error;
    return nullptr;
  }
  const auto& security = channel->security();
  auto bytes = Channel::to_server(connected.socket, security ? security->tls : nullptr, kAlpnHttp2,
                                  host_of(channel->address()));
  *why = bytes->shake_hands(timeout_ms);
  if (!why->empty()) return nullptr;
  return std::make_shared<ClientConnection>(channel, std::move(bytes));
}

ClientConnection::ClientConnection(const std::shared_ptr<ClientChannel>& channel,
                                   std::unique_ptr<Channel> bytes)
    : host_(client_host()),
      channel_(channel),
      security_(channel->security()),
      authority_(channel->address()),
      authorization_(authorization_of(security_.get())),
      bytes_(std::move(bytes)),
      session_(ClientCallbacks::session(this)) {
  if (session_ == nullptr) raise(Code::kResourceExhausted, "There is no memory for a connection");
  const std::array<nghttp2_settings_entry, 3> settings{
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
       {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, kFrame}}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kWindow);
}

ClientConnection::~ClientConnection() {
  if (session_ != nullptr) nghttp2_session_del(session_);
}

std::shared_ptr<ClientCall> ClientConnection::call_of(std::int32_t stream) const {
  const auto found = calls_.find(stream);
  return found == calls_.end() ? nullptr : found->second;
}

void ClientConnection::begin(const std::list<std::shared_ptr<ClientCall>>& calls, Calls* ended) {
  for (const auto& call : calls)
    if (!submit(call) && call->end(Code::kUnavailable, "The connection takes no calls"))
      ended->push_back(call);
  if (flush())
    id_ = host_.add(shared_from_this(), bytes_->socket());
  else
    close("Socket closed");
  give_ended(ended);
}

void ClientConnection::start(const std::shared_ptr<ClientCall>& call, Calls* ended) {
  if (!submit(call) && call->end(Code::kUnavailable, "The connection takes no calls"))
    ended->push_back(call);
  if (!flush()) close("Socket closed");
  give_ended(ended);
}

void ClientConnection::give_ended(Calls* ended) {
  ended->insert(ended->end(), ended_.begin(), ended_.end());
  ended_.clear();
}

bool ClientConnection::submit(const std::shared_ptr<ClientCall>& call) {
  const RpcRequest& request = call->request();
  const std::string timeout = call->deadline() == 0
                                  ? std::string()
                                  : grpc_timeout_text(std::max<std::int64_t>(
                                        1, (call->deadline() - monotonic_nanos()) / 1'000'000));
  std::array<nghttp2_nv, 9> head{
      request_header(":method", "POST"),
      request_header(":scheme", bytes_->is_tls() ? "https" : "http"),
      request_header(":path", request.method),
      request_header(":authority", authority_),
      request_header("te", "trailers"),
      request_header("content-type", "application/grpc"),
      request_header("user-agent", "rill"),
  };
  std::size_t count = 7;
  if (!authorization_.empty())
    head[count++] = request_header("authorization", authorization_, NGHTTP2_NV_FLAG_NONE);
  if (!timeout.empty())
    head[count++] = request_header("grpc-timeout", timeout, NGHTTP2_NV_FLAG_NO_INDEX);
  nghttp2_data_provider body{};
  body.source.ptr = call.get();
  body.read_callback = ClientCallbacks::read_request;
  if (session_ == nullptr) return false;
  const std::int32_t id =
      nghttp2_submit_request(session_, nullptr, head.data(), count, &body, nullptr);
  if (id < 0) return false;
  call->connection = weak_from_this();
  call->stream = id;
  calls_[id] = call;
  return true;
}

void ClientConnection::reset(const ClientCall& call, Calls* ended) {
  if (session_ == nullptr || call_of(call.stream).get() != &call) return;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, call.stream, NGHTTP2_CANCEL);
  if (!flush()) close("Socket closed");
  give_ended(ended);
}

// A server that refuses a call has begun nothing of it.
void ClientConnection::closed_stream(const std::shared_ptr<ClientCall>& call, std::uint32_t code) {
  const auto channel = channel_.lock();
  if (code == NGHTTP2_REFUSED_STREAM && channel != nullptr) {
    channel->forget(*this);
    if (channel->try_again(call)) return;
  }
  const Code meant = code == NGHTTP2_CANCEL                ? Code::kCancelled
                     : code == NGHTTP2_REFUSED_STREAM      ? Code::kUnavailable
                     : code == NGHTTP2_ENHANCE_YOUR_CALM   ? Code::kResourceExhausted
                     : code == NGHTTP2_INADEQUATE_SECURITY ? Code::kPermissionDenied
                                                           : Code::kInternal;
  if (call->end(meant, str_cat("Received RST_STREAM with error code ", code)))
    ended_.push_back(call);
}

void ClientConnection::proceed(std::uint32_t events) {
  const auto channel = channel_.lock();
  if (channel == nullptr) return host_.remove(id_);
  Calls ended;
  {
    const std::lock_guard lock(channel->mutex());
    if (session_ == nullptr) return;
    const bool goes_on = read(events) && flush();
    if (is_leaving_) channel->forget(*this);
    if (!goes_on) close("Socket closed");
    ended.swap(ended_);
  }
  if (ended.empty()) return;
  host_.before_work();
  for (const auto& call : ended) {
    host_.forget_deadline(*call);
    call->deliver();
  }
}

// Events come once for what has happened, so everything is read that is there.
bool ClientConnection::read(std::uint32_t events) {
  const std::span<char> buffer = buffer_of_thread();
  const bool may_end = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  for (;;) {
    const Channel::Moved moved = bytes_->read(buffer.data(), buffer.size());
    ++host_.counts.reads;
    if (moved.end == Channel::End::kLater) return true;
    if (moved.bytes == 0) return false;
    if (nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(buffer.data()),
                                 moved.bytes) < 0)
      return false;
    if (nghttp2_session_want_write(session_) != 0 && !flush()) return false;
    if (moved.bytes < buffer.size() && !may_end && !bytes_->is_tls()) return true;
  }
}

bool ClientConnection::flush() {
  if (session_ == nullptr) return true;
  for (;;) {
    while (out_.size() < kGatherTo) {
      const std::uint8_t* bytes = nullptr;
      const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
      if (size < 0) return false;
      if (size == 0) break;
      out_.add(bytes_view(bytes, static_cast<std::size_t>(size)));
    }
    if (out_.empty()) return true;
    const Channel::Moved moved = out_.write_to(*bytes_);
    ++host_.counts.writes;
    if (moved.bytes == 0) return moved.end == Channel::End::kLater;
  }
}

void ClientConnection::close(const std::string& why) {
  if (session_ == nullptr) return;
  const auto channel = channel_.lock();
  if (channel != nullptr) channel->forget(*this);
  for (const auto& [id, call] : std::exchange(calls_, {}))
    if (call->end(Code::kUnavailable, why)) ended_.push_back(call);
  nghttp2_session_del(std::exchange(session_, nullptr));
  out_.clear();
  bytes_->cut();
  host_.remove(id_);
}

}  // namespace rill::net
