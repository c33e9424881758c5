#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rill/net/http/http_request.h"

namespace rill::net {

// Why bytes are no request: the status to answer with before the connection ends.
struct HttpFault {
  int status = 400;
  const char* text = "This is no HTTP request";
};

struct HttpLimits {
  std::size_t max_head_bytes = 64 << 10;
  std::uint64_t max_body_bytes = std::uint64_t{1} << 30;
};

// Makes requests of HTTP/1.0 and 1.1 of the bytes that a client sends, however they are cut. It is
// strict: what two readers might understand differently is refused, and memory grows with what has
// come, not with what is announced.
class HttpReader {
 public:
  explicit HttpReader(const HttpLimits& limits) : limits_(limits) {}

  void feed(std::string_view bytes);
  // Whether a whole request has come; it is then moved to `request`, and what follows is kept for
  // the next. Throws HttpFault; nothing more can be read then.
  bool next(HttpRequest* request);

  // Whether the next request has begun.
  bool has_begun() const { return part_ != ParseState::kHead || begin_ < buffer_.size(); }
  // Whether the client wants to be told to go on before it sends the body; true once.
  bool wants_continue();
  // The request whose head has come, but of its body this many bytes or more have not; else null.
  const HttpRequest* head_before(std::uint64_t bytes) const {
    return part_ == ParseState::kBody && left_ >= bytes ? &request_ : nullptr;
  }
  // Of the request that is, or was last, read.
  bool keeps_alive() const { return keeps_alive_; }
  bool is_version_10() const { return is_version_10_; }

 private:
  enum class ParseState { kHead, kBody, kChunkSize, kChunk, kChunkEnd, kTrailers, kWhole };

  bool step();  // false: more bytes are needed
  bool read_head();
  void read_request_line(std::string_view line);
  void read_field(std::size_t begin, std::size_t end);
  void settle_body();
  bool read_body();
  bool read_chunk_size();
  bool read_chunk_end();
  bool read_trailers();
  bool take_line(std::size_t most, std::string_view* line);
  std::string_view unread() const { return std::string_view(buffer_).substr(begin_); }

  const HttpLimits limits_;
  std::string buffer_;     // what is not part of a body yet
  std::size_t begin_ = 0;  // of what is unread in it
  std::size_t seen_ = 0;   // of the unread bytes, those that were searched for the end of the head
  ParseState part_ = ParseState::kHead;
  HttpRequest request_;
  std::uint64_t left_ = 0;  // of the body, or the chunk
  std::size_t trailer_bytes_ = 0;
  bool keeps_alive_ = true, is_version_10_ = false, wants_continue_ = false;
};

}  // namespace rill::net
