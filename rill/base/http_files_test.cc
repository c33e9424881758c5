#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "rill/base/file_system.h"
#include "rill/base/file_testing.h"

namespace rill {
namespace {

// A web server of one file, "/file", on a port of its own; one request for each connection.
class Server {
 public:
  explicit Server(std::string content) : content_(std::move(content)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 16), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  std::string url(std::string_view path) const { return str_cat("http://127.0.0.1:", port_, path); }
  std::atomic<bool> knows_ranges = true;

 private:
  void serve() {
    for (int peer; (peer = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(peer)) {
      std::string request;
      char piece[4096];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t count = ::recv(peer, piece, sizeof piece, 0);
        if (count <= 0) break;
        request.append(piece, static_cast<std::size_t>(count));
      }
      const std::string answer = answer_to(request);
      for (std::size_t sent = 0; sent < answer.size();) {
        const ssize_t count =
            ::send(peer, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
      }
    }
  }

  static std::string page(std::string_view status, std::string_view headers,
                          std::string_view body) {
    return str_cat("HTTP/1.1 ", status, "\r\nConnection: close\r\n", headers,
                   "Content-Length: ", body.size(), "\r\n\r\n", body);
  }

  std::string answer_to(const std::string& request) const {
    const auto parts = split(request, ' ');
    if (parts.size() < 2) return "";
    if (parts[1] == "/secret") return page("403 Forbidden", "", "go away");
    if (parts[1] == "/moved") return page("302 Found", "Location: /file\r\n", "moved");
    if (parts[1] == "/broken") return page("500 Oh No", "", "");
    if (parts[1] != "/file") return page("404 Not Found", "", "no such page");
    const auto range = request.find("Range: bytes=");
    if (!knows_ranges || range == std::string::npos) return page("200 OK", "", content_);
    std::size_t begin = 0, end = 0;
    EXPECT_EQ(std::sscanf(request.c_str() + range, "Range: bytes=%zu-%zu", &begin, &end), 2);
    if (begin >= content_.size())
      return page("416 Range Not Satisfiable",
                  str_cat("Content-Range: bytes */", content_.size(), "\r\n"), "");
    end = std::min(end, content_.size() - 1);
    return page("206 Partial Content",
                str_cat("Content-Range: bytes ", begin, "-", end, "/", content_.size(), "\r\n"),
                std::string_view(content_).substr(begin, end - begin + 1));
  }

  std::string content_;
  int listener_ = -1, port_ = 0;
  std::thread thread_;
};

std::string numbered_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 31 + i / 251);
  return bytes;
}

class HttpFiles : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(KnowsRanges, HttpFiles, testing::Bool());

TEST_P(HttpFiles, reads_ranges_and_whole_files) {
  const std::string content = numbered_bytes(1'500'000);
  Server server(content);
  server.knows_ranges = GetParam();
  const auto file = http_files().open(server.url("/file"));
  EXPECT_EQ(file->size(), content.size());
  std::string piece(1000, '\0');
  EXPECT_EQ(file->read(700'000, piece), 1000u);
  EXPECT_EQ(piece, content.substr(700'000, 1000));
  EXPECT_EQ(file->read(content.size() - 10, piece), 10u);
  EXPECT_EQ(piece.substr(0, 10), content.substr(content.size() - 10));
  EXPECT_EQ(file->read(content.size(), piece), 0u);
  EXPECT_EQ(read_file(server.url("/file")), content);
  EXPECT_EQ(read_file(server.url("/moved")), content);
}

TEST(HttpFiles, empty_files) {
  Server server("");
  EXPECT_EQ(http_files().facts(server.url("/file")).size, 0u);
  EXPECT_EQ(read_file(server.url("/file")), "");
}

TEST(HttpFiles, says_what_is_wrong_and_where) {
  Server server("x");
  const auto code = [&](const char* path) {
    const std::string error = error_of([&] { http_files().open(server.url(path)); });
    EXPECT_NE(error.find(server.url(path)), std::string::npos) << error;
    return error.substr(0, error.find(':'));
  };
  EXPECT_EQ(code("/nope"), "NotFound");
  EXPECT_EQ(code("/secret"), "PermissionDenied");
  EXPECT_EQ(code("/broken"), "Unavailable");
  EXPECT_FALSE(file_exists(server.url("/nope")));
  EXPECT_TRUE(file_exists(server.url("/file")));
  EXPECT_TRUE(error_of([&] { write_file(server.url("/file"), "y"); }).starts_with("Unimplemented"));
  EXPECT_TRUE(error_of([] {
                http_files().open("http://127.0.0.1:1/x");
              }).starts_with("Unavailable: http://127.0.0.1:1/x"));
}

}  // namespace
}  // namespace rill
