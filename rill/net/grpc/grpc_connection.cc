#include "rill/net/grpc/grpc_connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/net/grpc/grpc_call.h"
#include "rill/net/socket/peer.h"

namespace rill::net {
namespace {

constexpr std::int64_t kMilli = 1'000'000;   // nanoseconds
constexpr std::size_t kPiece = 64 << 10;     // read in one turn
constexpr std::size_t kTogether = 32 << 10;  // frames that are sent at once
constexpr ssize_t kLargestFrame = 1 << 20;
constexpr std::size_t kMostInTurn = 1 << 20;  // sent in one turn
constexpr std::uint32_t kHopeless = 4;  // times the headers that there may be: the connection ends
constexpr std::int64_t kEarnedByAnswer = 4, kBytesPerFrame = 512;

std::span<char> piece_of_thread() {
  thread_local std::vector<char> piece(kPiece);
  return piece;
}

std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

// What nghttp2 tells, with the mutex. An error ends the connection.
struct GrpcCallbacks {
  static GrpcConnection& self(void* user) { return *static_cast<GrpcConnection*>(user); }

  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user) {
    GrpcConnection& own = self(user);
    const bool is_known = own.calls_.contains(head->stream_id);
    bool may = true;
    switch (head->type) {
      case NGHTTP2_HEADERS:
        own.header_bytes_ = own.headers_ = 0;
        if (is_known)
          may = own.spend_control();
        else if (own.calls_.size() >= own.host_.limits.max_streams)
          may = own.spend_reset();
        break;
      case NGHTTP2_DATA:
        if (head->length == 0 && (head->flags & NGHTTP2_FLAG_END_STREAM) == 0)
          may = own.spend_control();
        break;
      case NGHTTP2_RST_STREAM:
        may = own.spend_reset();
        break;
      default:
        may = own.spend_control();
    }
    return may ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
  }

  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    GrpcConnection& own = self(user);
    if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    const std::int32_t id = frame->hd.stream_id;
    own.calls_[id] = std::make_shared<GrpcCall>(own.shared_from_this(), id);
    own.idle_since_ = 0;
    ++own.counts_.started;
    own.last_call_ = own.heard_;
    return 0;
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* user) {
    constexpr std::uint32_t kOverhead = 32;  // as HTTP/2 counts
    GrpcConnection& own = self(user);
    const GrpcLimits& limits = own.host_.limits;
    own.header_bytes_ += static_cast<std::uint32_t>(name_size + value_size) + kOverhead;
    ++own.headers_;
    const auto exceeds = [&](std::uint32_t times) {
      return own.header_bytes_ > times * limits.max_header_bytes ||
             own.headers_ > times * limits.max_headers;
    };
    if (exceeds(kHopeless)) {
      own.end_because("header_bytes");
      return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    const auto call = own.call_of(frame->hd.stream_id);
    if (call == nullptr || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    if (exceeds(1))
      call->has_too_many_headers_ = true;
    else
      call->take_header(view(name, name_size), view(value, value_size));
    return 0;
  }

  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    GrpcConnection& own = self(user);
    if (frame->hd.type == NGHTTP2_SETTINGS) own.has_begun_ = true;
    if (frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0)
      own.pinged_ = 0;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    const auto call = own.call_of(frame->hd.stream_id);
    if (call == nullptr) return 0;
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
      call->end_headers();
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) call->end_request();
    return 0;
  }

  static int on_bad_frame(nghttp2_session*, const nghttp2_frame*, int, void* user) {
    return self(user).spend_reset() ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
  }

  static int on_data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                     const std::uint8_t* data, std::size_t size, void* user) {
    GrpcConnection& own = self(user);
    // Calls do not hold each other up: only their own windows close.
    nghttp2_session_consume_connection(session, size);
    own.control_.earn(static_cast<std::int64_t>(size) / kBytesPerFrame);
    if (const auto call = own.call_of(id)) {
      own.take_bytes(*call, size);
      call->take_data(view(data, size));
    }
    return 0;
  }

  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
    GrpcConnection& own = self(user);
    const auto call = own.call_of(id);
    if (call == nullptr) return 0;
    own.calls_.erase(id);
    call->end();
    if (own.calls_.empty()) own.idle_since_ = monotonic_nanos();
    return 0;
  }

  static int on_sent(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    GrpcConnection& own = self(user);
    if (frame->hd.type == NGHTTP2_GOAWAY && frame->goaway.error_code != NGHTTP2_NO_ERROR &&
        own.end_reason_ == nullptr)
      own.end_because("protocol");
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
    own.control_.earn(kEarnedByAnswer);
    own.resets_.earn(1);
    // A client that has its answer need not send the rest.
    if (nghttp2_session_get_stream_remote_close(session, frame->hd.stream_id) == 0)
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    return 0;
  }

  static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head, std::size_t size,
                       nghttp2_data_source* source, void* user) {
    constexpr std::size_t kFrameHead = 9;
    GrpcConnection& own = self(user);
    own.out_.add(view(head, kFrameHead));
    static_cast<GrpcCall*>(source->ptr)->send_answer(size, own.out_);
    return 0;
  }

  // Frames as large as the client takes: their bytes are not copied.
  static ssize_t read_length(nghttp2_session*, std::uint8_t, std::int32_t,
                             std::int32_t session_window, std::int32_t stream_window,
                             std::uint32_t max_frame, void*) {
    const auto window = std::min(session_window, stream_window);
    return std::min<ssize_t>({window, static_cast<ssize_t>(max_frame), kLargestFrame});
  }

  static nghttp2_session* session(GrpcConnection* connection) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_option* option = nullptr;
    nghttp2_session* session = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return nullptr;
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_bad_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    nghttp2_session_callbacks_set_send_data_callback(callbacks, send_data);
    nghttp2_session_callbacks_set_data_source_read_length_callback(callbacks, read_length);
    if (nghttp2_option_new(&option) == 0) {
      nghttp2_option_set_no_auto_window_update(option, 1);
      nghttp2_option_set_no_closed_streams(option, 1);
      constexpr std::uint64_t kMany = 1'000'000;  // resets are counted here
      nghttp2_option_set_stream_reset_rate_limit(option, kMany, kMany);
      nghttp2_session_server_new2(&session, callbacks, connection, option);
      nghttp2_option_del(option);
    }
    nghttp2_session_callbacks_del(callbacks);
    return session;
  }
};

GrpcConnection::GrpcConnection(GrpcHost& host, std::uint64_t id, int socket)
    : host_(host),
      id_(id),
      channel_(socket, host.tls == nullptr ? nullptr : host.tls->context(), kAlpnHttp2),
      peer_(peer_of(socket)) {
  {
    const std::lock_guard lock(host_.mutex);
    ++host_.alive;
  }
  session_ = GrpcCallbacks::session(this);
}

GrpcConnection::~GrpcConnection() {
  if (session_ != nullptr) nghttp2_session_del(session_);
  const std::lock_guard lock(host_.mutex);
  if (--host_.alive == 0) host_.changed.notify_all();
}

GrpcConnectionInfo GrpcConnection::info() {
  const std::lock_guard lock(mutex_);
  return {.id = id_,
          .peer = peer_,
          .counts = counts_,
          .last_call_micros =
              last_call_ == 0 ? 0 : wall_micros() - (monotonic_nanos() - last_call_) / 1000};
}

void GrpcConnection::start() {
  const std::lock_guard lock(mutex_);
  began_ = heard_ = idle_since_ = monotonic_nanos();
  control_.begin(began_);
  resets_.begin(began_);
  if (session_ == nullptr) return close();
  const GrpcLimits& limits = host_.limits;
  const std::array<nghttp2_settings_entry, 4> settings{
      {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.max_streams},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.window_bytes},
       {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, limits.max_frame_bytes},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.max_header_bytes}}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  constexpr std::int32_t kWindow = 16 << 20;  // of the connection, whose bytes are taken at once
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kWindow);
  if (!flush()) return close();
  arm();
}

void GrpcConnection::proceed() {
  const auto self = shared_from_this();  // closing must not end it in here
  const std::lock_guard lock(mutex_);
  if (session_ == nullptr) return;
  const bool goes_on = read() && flush();
  if (!goes_on) return close();
  admit_waiting();
  arm();
}

bool GrpcConnection::read() {
  const std::span<char> piece = piece_of_thread();
  const Channel::Moved moved = channel_.read(piece.data(), piece.size());
  if (moved.end == Channel::End::kLater) return true;
  if (moved.bytes == 0) return false;
  heard_ = monotonic_nanos();
  const ssize_t taken = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(piece.data()), moved.bytes);
  if (taken >= 0) return true;
  // Unless there is a better one. nghttp2 counts pings and settings that wait for their answer.
  end_because(taken == NGHTTP2_ERR_FLOODED ? "control_frames" : "protocol");
  // Why it ends is told, if that can be done at once.
  nghttp2_session_terminate_session(session_, NGHTTP2_ENHANCE_YOUR_CALM);
  (void)flush();
  channel_.end_writing();
  return false;
}

// Moves frames to `out_`; false when nothing can be sent any more.
bool GrpcConnection::fill() {
  while (out_.size() < kTogether) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
    if (size < 0) return false;
    if (size == 0) break;
    out_.add(view(bytes, static_cast<std::size_t>(size)));
  }
  return true;
}

bool GrpcConnection::flush() {
  waits_to_write_ = false;
  for (std::size_t in_turn = 0;;) {
    if (!fill()) return false;
    if (out_.empty())
      return nghttp2_session_want_read(session_) != 0 || nghttp2_session_want_write(session_) != 0;
    const Channel::Moved moved = out_.write_to(channel_);
    in_turn += moved.bytes;
    if (moved.bytes == 0 && moved.end != Channel::End::kLater) return false;
    if (moved.bytes == 0 || in_turn > kMostInTurn) {
      waits_to_write_ = moved.bytes > 0 || channel_.waits_to_write();
      return true;
    }
  }
}

void GrpcConnection::arm() {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  if (waits_to_write_ || channel_.has_pending()) event.events |= EPOLLOUT;
  event.data.u64 = id_;
  const int how = std::exchange(is_armed_, true) ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(host_.epoll, how, channel_.socket(), &event) != 0) close();
}

void GrpcConnection::close() {
  if (session_ == nullptr) return;
  const auto session = std::exchange(session_, nullptr);
  for (const auto& [id, call] : std::exchange(calls_, {})) call->end();
  nghttp2_session_del(session);
  ready_.clear();
  out_.clear();
  channel_.cut();
  std::shared_ptr<GrpcConnection> self;  // goes after the lock
  const std::lock_guard lock(host_.mutex);
  host_.past.add(counts_);
  if (const auto found = host_.open.find(id_); found != host_.open.end()) {
    self = std::move(found->second);
    host_.open.erase(found);
  }
  host_.changed.notify_all();
}

void GrpcConnection::end_because(const char* reason) {
  if (end_reason_ != nullptr) return;
  end_reason_ = reason;
  host_.count_end(reason);
}

void GrpcConnection::send_or_gather() {
  if (session_ == nullptr || host_.gather(shared_from_this())) return;
  if (!flush()) return close();
  admit_waiting();
  if (waits_to_write_) arm();
}

void GrpcConnection::send() {
  const auto self = shared_from_this();
  const std::lock_guard lock(mutex_);
  if (session_ == nullptr) return;
  if (!flush()) return close();
  admit_waiting();
  if (waits_to_write_) arm();
}

void GrpcConnection::say_goodbye(bool is_last) {
  const auto self = shared_from_this();
  const std::lock_guard lock(mutex_);
  if (session_ == nullptr) return;
  if (is_last)
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                          nullptr, 0);
  else
    nghttp2_submit_shutdown_notice(session_);
  if (!flush()) return close();
  if (waits_to_write_) arm();
}

// Calls begin as long as the client takes the answers of others.
void GrpcConnection::ready(const std::shared_ptr<GrpcCall>& call) { ready_.push_back(call); }

bool GrpcConnection::postpone(const std::shared_ptr<GrpcCall>& call) {
  if (session_ == nullptr || unsent_ <= host_.limits.unsent_freely) return false;
  ready(call);
  return true;
}

void GrpcConnection::admit_waiting() {
  while (!ready_.empty() && unsent_ <= host_.limits.unsent_freely) {
    host_.enqueue(std::move(ready_.front()));
    ready_.pop_front();
  }
}

std::shared_ptr<GrpcCall> GrpcConnection::call_of(std::int32_t stream) const {
  const auto found = calls_.find(stream);
  return found == calls_.end() ? nullptr : found->second;
}

// Gives the client a new window for bytes that came, unless too much of unfinished requests is held
// already: then only for the oldest of them.
void GrpcConnection::take_bytes(GrpcCall& call, std::size_t size) {
  if (!call.is_taking()) {
    call.withheld_ += size;
    return;
  }
  const GrpcLimits& limits = host_.limits;
  if (!call.is_wide_ && call.held_ + size > limits.window_bytes / 2 && wide_ < limits.max_wide) {
    call.is_wide_ = true;
    ++wide_;
    nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, call.stream_,
                                          limits.wide_window_bytes);
  }
  nghttp2_session_consume_stream(session_, call.stream_, size);
}

void GrpcConnection::give_window() {
  if (session_ == nullptr) return;
  for (const std::int32_t id : uploads_) {
    const auto call = call_of(id);
    if (call == nullptr || call->withheld_ == 0 || !call->is_taking()) continue;
    nghttp2_session_consume_stream(session_, id, std::exchange(call->withheld_, 0));
  }
}

bool GrpcConnection::spend_control() {
  if (control_.spend(heard_)) return true;
  end_because("control_frames");
  return false;
}

bool GrpcConnection::spend_reset() {
  if (resets_.spend(heard_)) return true;
  end_because("resets");
  return false;
}

void GrpcConnection::look(std::int64_t now) {
  const auto self = shared_from_this();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || session_ == nullptr) return;
  const GrpcLimits& limits = host_.limits;
  const auto waits_longer = [now](std::int64_t since, std::int64_t millis) {
    return since != 0 && now - since > millis * kMilli;
  };
  if (!has_begun_ && waits_longer(began_, limits.handshake_ms)) {
    end_because("handshake");
    return close();
  }
  for (const std::int32_t id : uploads_) {
    const auto call = call_of(id);
    if (call == nullptr || call->withheld_ > 0 || !waits_longer(call->heard_, limits.request_ms))
      continue;
    end_because("slow_request");
    return close();
  }
  check_progress(now);
  if (session_ != nullptr) check_age(now);
}

// A client must take its answers, if not as quickly as they are made.
void GrpcConnection::check_progress(std::int64_t now) {
  const GrpcLimits& limits = host_.limits;
  const std::uint64_t unsent = unsent_ + out_.size();
  if (unsent == 0) {
    watch_began_ = 0;
    return;
  }
  if (watch_began_ == 0) {
    watch_began_ = now;
    watch_unsent_ = unsent;
    watch_sent_ = 0;
  }
  if (now - watch_began_ < limits.stalled_ms * kMilli) return;
  const auto wanted =
      static_cast<std::uint64_t>(limits.stalled_ms * limits.min_bytes_per_second / 1000);
  if (watch_sent_ < std::min(wanted, watch_unsent_)) {
    end_because("slow_reader");
    return close();
  }
  watch_began_ = 0;
}

void GrpcConnection::check_age(std::int64_t now) {
  const GrpcLimits& limits = host_.limits;
  const auto since = [now](std::int64_t from, std::int64_t millis) {
    return millis > 0 && from != 0 && now - from > millis * kMilli;
  };
  if (pinged_ == 0 && since(heard_, limits.keepalive_ms)) {
    pinged_ = now;
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
  } else if (pinged_ != 0 && heard_ >= pinged_) {
    pinged_ = 0;
  } else if (since(pinged_, limits.keepalive_timeout_ms)) {
    end_because("keepalive");
    return close();
  }
  if (ends_at_ == 0 &&
      (since(began_, limits.max_age_ms) || since(idle_since_, limits.max_idle_ms))) {
    const std::int64_t grace = limits.max_age_grace_ms > 0 ? limits.max_age_grace_ms : 3'600'000;
    ends_at_ = now + grace * kMilli;
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                          nullptr, 0);
  }
  if (ends_at_ != 0 && (calls_.empty() || now > ends_at_)) {
    (void)flush();
    return close();
  }
  if (nghttp2_session_want_write(session_) == 0) return;
  if (!flush()) return close();
  if (waits_to_write_) arm();
}

}  // namespace rill::net
