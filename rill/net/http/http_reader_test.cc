#include "rill/net/http/http_reader.h"

#include <gtest/gtest.h>

namespace rill::net {
namespace {

int fault_of(const std::string& bytes, const HttpLimits& limits = {}) {
  HttpReader reader(limits);
  HttpRequest request;
  reader.feed(bytes);
  try {
    return reader.next(&request) ? 200 : 0;
  } catch (const HttpFault& fault) {
    return fault.status;
  }
}

const std::string kChunked = "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST(HttpReader, a_request_however_it_is_cut) {
  const std::string bytes =
      "POST /v1/models/m:predict?a=b HTTP/1.1\r\nHost: here\r\nCONTENT-type:  text/plain \r\n"
      "X-Other: 1\r\nContent-Length: 5\r\n\r\nhello";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    HttpReader reader({});
    HttpRequest request;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      EXPECT_FALSE(reader.next(&request));
      reader.feed(std::string_view(bytes).substr(at, piece));
    }
    ASSERT_TRUE(reader.next(&request)) << piece;
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/v1/models/m:predict?a=b");
    EXPECT_EQ(request.content_type, "text/plain");
    EXPECT_EQ(request.header("x-other"), "1");
    EXPECT_EQ(request.header("missing"), "");
    EXPECT_EQ(request.body, "hello");
    EXPECT_TRUE(reader.keeps_alive());
    EXPECT_FALSE(reader.has_begun());
  }
}

TEST(HttpReader, chunks_however_they_are_cut) {
  const std::string bytes =
      kChunked +
      "3;name=value\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n"
      "GET /next HTTP/1.1\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    HttpReader reader({});
    HttpRequest request;
    std::vector<HttpRequest> requests;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(std::string_view(bytes).substr(at, piece));
      while (reader.next(&request)) requests.push_back(std::move(request));
    }
    ASSERT_EQ(requests.size(), 2u) << piece;
    EXPECT_EQ(requests[0].body, "abc0123456789abcdef");
    EXPECT_EQ(requests[1].target, "/next");
    EXPECT_EQ(requests[1].body, "");
  }
}

TEST(HttpReader, several_requests_at_once) {
  HttpReader reader({});
  HttpRequest request;
  std::string bytes;
  for (int i = 0; i < 100; ++i)
    bytes += "POST /" + std::to_string(i) + " HTTP/1.1\r\nContent-Length: 2\r\n\r\nok";
  reader.feed(bytes);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(reader.next(&request));
    EXPECT_EQ(request.target, "/" + std::to_string(i));
    EXPECT_EQ(request.body, "ok");
  }
  EXPECT_FALSE(reader.next(&request));
}

TEST(HttpReader, keep_alive) {
  const auto stays = [](const std::string& head) {
    HttpReader reader({});
    HttpRequest request;
    reader.feed(head + "\r\n\r\n");
    EXPECT_TRUE(reader.next(&request));
    return reader.keeps_alive();
  };
  EXPECT_TRUE(stays("GET / HTTP/1.1"));
  EXPECT_FALSE(stays("GET / HTTP/1.1\r\nConnection: Close"));
  EXPECT_FALSE(stays("GET / HTTP/1.1\r\nConnection: upgrade, close"));
  EXPECT_FALSE(stays("GET / HTTP/1.0"));
  EXPECT_TRUE(stays("GET / HTTP/1.0\r\nConnection: Keep-Alive"));
}

TEST(HttpReader, expect_100_continue) {
  HttpReader reader({});
  HttpRequest request;
  reader.feed("POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_FALSE(reader.next(&request));
  EXPECT_TRUE(reader.wants_continue());
  EXPECT_FALSE(reader.wants_continue());
  reader.feed("ok");
  EXPECT_TRUE(reader.next(&request));
  // Who has sent the body already does not wait.
  reader.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\no");
  EXPECT_FALSE(reader.next(&request));
  EXPECT_FALSE(reader.wants_continue());
}

TEST(HttpReader, malformed_requests) {
  for (const char* bytes :
       {"no request at all\r\n\r\n", "GET\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/1\r\n\r\n",
        "GET /a b HTTP/1.1\r\n\r\n", "G T / HTTP/1.1\r\n\r\n", "G\x01T / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nName : x\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: \x01\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\nB: c\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"})
    EXPECT_EQ(fault_of(bytes), 400) << bytes;
  EXPECT_EQ(fault_of("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(fault_of("GET / HTTP/1.1\r\nExpect: money\r\n\r\n"), 417);
}

// What two servers in a row might understand differently.
TEST(HttpReader, request_smuggling_is_refused) {
  const std::string head = "POST / HTTP/1.1\r\n";
  for (const char* fields : {"Content-Length: 3\r\nContent-Length: 4", "Content-Length: -1",
                             "Content-Length: +1", "Content-Length: 0x10", "Content-Length: 1 2",
                             "Content-Length:", "Content-Length: 99999999999999999999999999",
                             "Content-Length: 1\r\nTransfer-Encoding: chunked",
                             "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"})
    EXPECT_EQ(fault_of(head + fields + "\r\n\r\n"), 400) << fields;
  EXPECT_EQ(fault_of(head + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok"), 200);
  EXPECT_EQ(fault_of(head + "Transfer-Encoding: gzip, chunked\r\n\r\n"), 501);
  EXPECT_EQ(fault_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST(HttpReader, chunks_that_are_wrong) {
  for (const char* chunks : {"x\r\n", "-1\r\n", "\r\n", "3\r\nabcd\r\n", "3\r\nabcXY",
                             "fffffffffffffffffffff\r\n", " \r\n", "3 4\r\nabc\r\n"})
    EXPECT_EQ(fault_of(kChunked + chunks), 400) << chunks;
  EXPECT_EQ(fault_of(kChunked + std::string(5000, '1')), 400);
}

TEST(HttpReader, size_limits) {
  const HttpLimits limits{.max_head_bytes = 100, .max_body_bytes = 10};
  EXPECT_EQ(fault_of("GET /" + std::string(200, 'a'), limits), 431);
  EXPECT_EQ(fault_of("GET / HTTP/1.1\r\nA: " + std::string(200, 'a') + "\r\n\r\n", limits), 431);
  EXPECT_EQ(fault_of("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", limits), 413);
  EXPECT_EQ(fault_of(kChunked + "b\r\n", limits), 413);
  EXPECT_EQ(fault_of(kChunked + "6\r\nabcdef\r\n5\r\n", limits), 413);
  EXPECT_EQ(fault_of(kChunked + "fffffffffffffff\r\n", limits), 413);
  EXPECT_EQ(fault_of(kChunked + "0\r\nA: " + std::string(200, 'a') + "\r\n\r\n", limits), 400);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 300; ++i) many += "A: b\r\n";
  EXPECT_EQ(fault_of(many + "\r\n"), 431);
}

TEST(HttpReader, answers_cannot_be_split_by_values) {
  HttpResponse response{.status = 200, .body = "ok"};
  response.headers = {{"X", "a\r\nSet-Cookie: b"}};
  EXPECT_EQ(response_head(response, true),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nX: "
            "aSet-Cookie: b\r\nConnection: keep-alive\r\n\r\n");
}

}  // namespace
}  // namespace rill::net
