#include "rill/net/http/http_reader.h"

#include <algorithm>
#include <array>

#include "rill/base/text.h"

namespace rill::net {
namespace {

constexpr std::size_t kLongestChunkLine = 4096;
constexpr std::size_t kBodyAtFirst = 64 << 10;  // what is set aside for a body before it comes
constexpr std::size_t kMaxFields = 256;

constexpr std::array<bool, 256> token_characters() {
  std::array<bool, 256> is_token{};
  for (int c = '0'; c <= '9'; ++c) is_token[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) is_token[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) is_token[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    is_token[static_cast<unsigned char>(c)] = true;
  return is_token;
}
constexpr auto kIsToken = token_characters();

bool is_token(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return kIsToken[static_cast<unsigned char>(c)]; });
}
// Without control characters; a tab counts as a space.
bool is_text(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
  });
}
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void demand(bool good, HttpFault fault = {}) {
  if (!good) throw fault;
}

std::uint64_t decimal(std::string_view digits) {
  demand(!digits.empty() && digits.size() <= 18);
  std::uint64_t value = 0;
  for (const char c : digits) {
    demand(c >= '0' && c <= '9');
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::uint64_t hexadecimal(std::string_view digits) {
  demand(!digits.empty() && digits.size() <= 15);
  std::uint64_t value = 0;
  for (const char c : digits) {
    const int low = c | 0x20;
    const bool is_letter = low >= 'a' && low <= 'f';
    demand(is_letter || (c >= '0' && c <= '9'));
    value = value << 4 | static_cast<std::uint64_t>(is_letter ? low - 'a' + 10 : c - '0');
  }
  return value;
}

// Whether a list such as "keep-alive, Upgrade" has this item.
bool has_item(std::string_view list, std::string_view item) {
  for (const std::string_view one : split(list, ','))
    if (lower(trimmed(one)) == item) return true;
  return false;
}

}  // namespace

void HttpReader::feed(std::string_view bytes) {
  if (part_ == ParseState::kBody && begin_ == buffer_.size()) {  // straight to where it belongs
    const std::size_t count = std::min<std::uint64_t>(left_, bytes.size());
    request_.body.append(bytes.substr(0, count));
    left_ -= count;
    bytes.remove_prefix(count);
  }
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

bool HttpReader::next(HttpRequest* request) {
  while (part_ != ParseState::kWhole)
    if (!step()) return false;
  *request = std::move(request_);
  request_ = {};
  part_ = ParseState::kHead;
  return true;
}

bool HttpReader::wants_continue() {
  const bool wants = wants_continue_ && part_ != ParseState::kHead;
  if (wants) wants_continue_ = false;
  return wants;
}

bool HttpReader::step() {
  switch (part_) {
    case ParseState::kHead:
      return read_head();
    case ParseState::kBody:
    case ParseState::kChunk:
      return read_body();
    case ParseState::kChunkSize:
      return read_chunk_size();
    case ParseState::kChunkEnd:
      return read_chunk_end();
    case ParseState::kTrailers:
      return read_trailers();
    case ParseState::kWhole:
      return true;
  }
  return false;
}

bool HttpReader::read_head() {
  // Some clients send a line's end behind a body.
  while (unread().starts_with("\r\n")) begin_ += 2;
  const std::string_view bytes = unread();
  // What cannot become a request, the begin of TLS say, is not waited for.
  demand(bytes.empty() || bytes[0] == '\r' || is_token(bytes.substr(0, 1)));
  const std::size_t from = seen_ > 3 ? seen_ - 3 : 0;
  const std::size_t end = bytes.find("\r\n\r\n", std::min(from, bytes.size()));
  const HttpFault too_large{431, "The headers are too large"};
  if (end == std::string_view::npos) {
    demand(bytes.size() <= limits_.max_head_bytes, too_large);
    seen_ = bytes.size();
    return false;
  }
  demand(end <= limits_.max_head_bytes, too_large);
  seen_ = 0;
  request_.head.assign(bytes.substr(0, end + 2));
  begin_ += end + 4;
  const std::string_view head = request_.head;
  std::size_t line = head.find("\r\n");
  read_request_line(head.substr(0, line));
  for (line += 2; line < head.size();) {
    const std::size_t line_end = head.find("\r\n", line);
    read_field(line, line_end);
    line = line_end + 2;
  }
  settle_body();
  return true;
}

void HttpReader::read_request_line(std::string_view line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  demand(first != std::string_view::npos && last > first);
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  demand(is_token(method) && !target.empty());
  demand(is_text(target) && target.find_first_of(" \t") == std::string_view::npos);
  demand(version.size() == 8 && version.starts_with("HTTP/") && version[6] == '.');
  demand(version.starts_with("HTTP/1."), {505, "This version of HTTP is not spoken here"});
  is_version_10_ = version == "HTTP/1.0";
  request_.method = method;
  request_.target = target;
}

void HttpReader::read_field(std::size_t begin, std::size_t end) {
  const std::string_view line = std::string_view(request_.head).substr(begin, end - begin);
  const std::size_t colon = line.find(':');
  // A name is a token, so that a line that goes on from the one before is refused too.
  demand(colon != std::string_view::npos && is_token(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  demand(is_text(value));
  demand(request_.fields.size() < kMaxFields, {431, "There are too many headers"});
  const auto at = static_cast<std::uint32_t>(
      value.empty() ? end : static_cast<std::size_t>(value.data() - request_.head.data()));
  request_.fields.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(colon),
                             at, static_cast<std::uint32_t>(value.size())});
}

// What the headers say of the body and of the connection.
void HttpReader::settle_body() {
  std::string_view length, coding;
  bool has_length = false, has_coding = false;
  const std::string_view head = request_.head;
  for (const HttpRequest::Field& field : request_.fields) {
    const std::string_view name = head.substr(field.name, field.name_size);
    const std::string_view value = head.substr(field.value, field.value_size);
    if (name.size() == 14 && lower(name) == "content-length") {
      demand(!has_length || value == length);
      length = value;
      has_length = true;
    } else if (name.size() == 17 && lower(name) == "transfer-encoding") {
      demand(!has_coding);
      coding = value;
      has_coding = true;
    }
  }
  const std::string_view connection = request_.header("connection");
  keeps_alive_ =
      is_version_10_ ? has_item(connection, "keep-alive") : !has_item(connection, "close");
  const std::string_view expect = request_.header("expect");
  demand(expect.empty() || lower(expect) == "100-continue", {417, "This expectation is not met"});
  request_.content_type = request_.header("content-type");
  request_.content_encoding = request_.header("content-encoding");
  request_.origin = request_.header("origin");
  request_.authorization = request_.header("authorization");
  if (has_coding) {
    demand(!has_length && !is_version_10_);
    demand(lower(coding) == "chunked", {501, "This transfer encoding is not spoken here"});
    part_ = ParseState::kChunkSize;
  } else {
    left_ = has_length ? decimal(length) : 0;
    demand(left_ <= limits_.max_body_bytes, {413, "The request is too large"});
    request_.body.reserve(std::min<std::uint64_t>(left_, kBodyAtFirst));
    part_ = ParseState::kBody;
  }
  const bool has_body = has_coding || left_ > 0;
  wants_continue_ = !expect.empty() && has_body && !is_version_10_ && unread().empty();
}

bool HttpReader::read_body() {
  const std::size_t count = std::min<std::uint64_t>(left_, unread().size());
  request_.body.append(unread().substr(0, count));
  begin_ += count;
  left_ -= count;
  if (left_ > 0) return false;
  part_ = part_ == ParseState::kBody ? ParseState::kWhole : ParseState::kChunkEnd;
  return true;
}

bool HttpReader::take_line(std::size_t most, std::string_view* line) {
  const std::size_t end = unread().find("\r\n");
  demand(std::min(end, unread().size()) <= most);
  if (end == std::string_view::npos) return false;
  *line = unread().substr(0, end);
  begin_ += end + 2;
  return true;
}

bool HttpReader::read_chunk_size() {
  std::string_view line;
  if (!take_line(kLongestChunkLine, &line)) return false;
  demand(is_text(line));
  left_ = hexadecimal(trimmed(line.substr(0, line.find(';'))));
  demand(left_ <= limits_.max_body_bytes - request_.body.size(), {413, "The request is too large"});
  part_ = left_ == 0 ? ParseState::kTrailers : ParseState::kChunk;
  trailer_bytes_ = 0;
  return true;
}

bool HttpReader::read_chunk_end() {
  if (unread().size() < 2) return false;
  demand(unread().starts_with("\r\n"));
  begin_ += 2;
  part_ = ParseState::kChunkSize;
  return true;
}

// Headers behind a body in chunks say nothing that matters here.
bool HttpReader::read_trailers() {
  std::string_view line;
  if (!take_line(limits_.max_head_bytes, &line)) return false;
  trailer_bytes_ += line.size() + 2;
  demand(trailer_bytes_ <= limits_.max_head_bytes, {431, "The trailers are too large"});
  if (line.empty()) part_ = ParseState::kWhole;
  return true;
}

}  // namespace rill::net
