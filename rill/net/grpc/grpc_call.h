#pragma once

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/net/grpc/grpc_connection.h"
#include "rill/net/grpc/grpc_wire.h"
#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

// One call of a client: a stream of HTTP/2. What is not said to be otherwise is guarded by the
// mutex of its connection.
class GrpcCall final : public RpcCall,
                       public RpcStream,
                       public std::enable_shared_from_this<GrpcCall> {
 public:
  GrpcCall(std::shared_ptr<GrpcConnection> connection, std::int32_t stream);
  ~GrpcCall() override;

  // As its bytes come, with the mutex.
  void take_header(std::string_view name, std::string_view value);
  void end_headers();
  void take_data(std::string_view bytes);
  void end_request();
  void end();  // the client has left, or has everything
  void send_trailers();
  ssize_t next_of_answer(std::size_t size, std::uint32_t* flags);
  void send_answer(std::size_t size, OutQueue& out);

  void work();  // what its turn is for; without the mutex

  // RpcCall
  google::protobuf::io::ZeroCopyInputStream& request() override { return *reader_; }
  void reply(const google::protobuf::MessageLite& message) override;
  void reply_bytes(std::string head, std::string_view body,
                   std::shared_ptr<const void> owner) override;
  void fail(const Error& error) override { finish(error); }
  // RpcStream
  void read() override;
  void write(std::string message) override;
  std::size_t unsent_bytes() override;
  void finish(const std::optional<Error>& error) override;
  // of both
  CallLimits limits() override;

 private:
  friend class GrpcConnection;
  friend struct GrpcCallbacks;
  enum class Kind { kUnknown, kUnary, kStream };
  // Bytes to be sent, which stay where they are.
  struct Piece {
    std::string_view bytes;
    std::shared_ptr<const void> owner;
  };

  std::optional<Error> refusal() const;
  void answer_http(const char* status);  // what is no gRPC
  void submit(const std::optional<Error>& error);
  void end_with(const std::optional<Error>& error);
  void write_piece(Piece piece);
  static Piece piece_of(std::string bytes);
  void end_with_pieces(std::vector<Piece> pieces);
  void queue();
  void note_end(Code code);
  std::optional<Error> early_refusal(std::string_view first);
  void take_message(std::string_view* bytes);
  void take_waiting();

  std::string unpack(GrpcMessageReader::Message message);
  void run_unary();
  bool run_event();
  bool has_event() const;
  bool is_taking() const;
  std::string framed(const google::protobuf::MessageLite& message) const;

  const std::shared_ptr<GrpcConnection> connection_;
  const std::int32_t stream_;
  Kind kind_ = Kind::kUnknown;
  const RpcMethod* method_ = nullptr;
  const RpcStreamMethod* stream_method_ = nullptr;
  std::string http_method_, path_, content_type_, authorization_, encoding_, timeout_;
  CallRecord record_;  // of a call that runs: of whoever answers
  bool is_begun_ = false, is_noted_ = false;
  bool accepts_gzip_ = false, has_too_many_headers_ = false;
  GrpcEncoding packing_ = GrpcEncoding::kIdentity;
  std::int64_t received_ = 0, deadline_ = 0, heard_ = 0;
  std::atomic<bool> is_over_ = false;
  bool is_working_ = false;  // counted by the host

  GrpcMessageReader reader_of_messages_;
  std::optional<GrpcMessageReader::Message> message_;
  std::string waiting_;  // of a stream: bytes behind that
  std::size_t waiting_at_ = 0;
  std::uint64_t held_ = 0;    // bytes that the host counts
  std::size_t withheld_ = 0;  // bytes that came and for which the client got no new window
  bool has_ended_ = false;    // the client sends no more
  bool is_wide_ = false;      // its window is

  std::string request_;
  std::optional<google::protobuf::io::ArrayInputStream> reader_;

  std::deque<Piece> out_;
  std::size_t out_at_ = 0;  // in the first of them
  std::uint64_t unsent_ = 0;
  bool has_head_ = false, is_finished_ = false, is_waiting_for_more_ = false;
  std::optional<Error> error_;

  // Of streams.
  bool is_open_ = false, wants_message_ = false, was_told_end_ = false, was_told_over_ = false;
  bool is_queued_ = false;
  RpcStreamEvents events_;  // belongs to the thread that works
};

}  // namespace rill::net
