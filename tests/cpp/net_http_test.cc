// The HTTP server against clients that do not behave.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "rill/base/clock.h"
#include "rill/net/http/http_server.h"
#include "tests/cpp/await_testing.h"
#include "tests/cpp/socket_testing.h"

namespace rill::net {
namespace {

using std::chrono::milliseconds;

// Answers with what it was asked, at once; below /later when it is told to; below /slow on its
// thread, after a while.
class HttpServing : public testing::Test {
 protected:
  ~HttpServing() override {
    release();
    server_.reset();
    for (std::thread& thread : threads_) thread.join();
  }
  int port() {
    if (!server_)
      server_ = std::make_unique<HttpServer>(
          [this](HttpRequest request, std::function<void(HttpResponse)> reply) {
            handle(std::move(request), std::move(reply));
          },
          options_);
    return server_->port();
  }
  void handle(HttpRequest request, std::function<void(HttpResponse)> reply) {
    ++asked_;
    HttpResponse response{.content_type = "text/plain",
                          .body = request.method + " " + request.target + " " + request.body + "!"};
    if (request.target.starts_with("/big")) response.body.assign(20 << 20, 'x');
    if (request.target.starts_with("/slow")) std::this_thread::sleep_for(milliseconds(300));
    if (!request.target.starts_with("/later")) return reply(std::move(response));
    threads_.emplace_back([this, request = std::move(request), reply = std::move(reply),
                           response = std::move(response)] {
      if (await([&] { return request.is_gone() || is_released_; }, 10'000) && request.is_gone())
        ++gone_;
      reply(response);
    });
  }
  void release() { is_released_ = true; }

  static std::string get(const std::string& target, const std::string& fields = "") {
    return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
  }
  static int status_of(const std::string& answer) {
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
  }

  HttpServerOptions options_;
  std::unique_ptr<HttpServer> server_;
  std::vector<std::thread> threads_;  // of one connection's thread at a time
  std::atomic<int> asked_ = 0, gone_ = 0;
  std::atomic<bool> is_released_ = false;
};

TEST_F(HttpServing, answers) {
  RawClient client(port());
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nX-Request-Id: "
      "mine\r\nConnection: keep-alive\r\n\r\n";
  client.send(get("/a", "X-Request-Id: mine\r\n"));
  EXPECT_EQ(client.read_until("!"), head + "GET /a !");
  client.send("HEAD /a HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), head);
  client.send(get("/b", "Connection: close\r\n"));
  EXPECT_TRUE(client.read_all().ends_with("Connection: close\r\n\r\nGET /b !"));
}

TEST_F(HttpServing, many_requests_at_once) {
  RawClient client(port());
  std::string all;
  constexpr int kRequests = 2000;
  for (int i = 0; i < kRequests; ++i) all += get("/" + std::to_string(i));
  std::thread sender([&] { client.send(all); });
  for (int i = 0; i < kRequests; ++i)
    ASSERT_TRUE(client.read_until("!").ends_with("GET /" + std::to_string(i) + " !"));
  sender.join();
}

// A request with a large body may be refused before that has come.
TEST_F(HttpServing, large_bodies_are_not_waited_for_when_nobody_wants_them) {
  std::atomic<int> judged = 0;
  options_.refuse_early = [&](const HttpRequest& head,
                              const CallLimits& limits) -> std::optional<HttpResponse> {
    ++judged;
    EXPECT_EQ(limits.record->id, "mine");
    if (head.target != "/full") return std::nullopt;
    return HttpResponse{.status = 503, .body = "full"};
  };
  const auto head = [](const std::string& target, std::size_t size) {
    return "POST " + target +
           " HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\nContent-Length: " + std::to_string(size) +
           "\r\n\r\n";
  };
  RawClient client(port());
  client.send(head("/full", 1 << 20) + "some of it");
  const std::string answer = client.read_all();
  EXPECT_EQ(status_of(answer), 503);
  EXPECT_NE(answer.find("X-Request-Id: mine"), std::string::npos);
  EXPECT_EQ(asked_, 0);
  RawClient other(port());
  for (int i = 0; i < 2; ++i) {  // each is judged once, and small ones are not
    other.send(head("/room", 1 << 20) + std::string(1 << 20, 'x'));
    EXPECT_EQ(status_of(other.read_until("x!")), 200);
    other.send(head("/full", 3) + "abc");
    EXPECT_EQ(status_of(other.read_until("abc!")), 200);
  }
  EXPECT_EQ(judged, 3);
}

TEST_F(HttpServing, pipelined_requests_wait_their_turn) {
  RawClient client(port());
  client.send(get("/later") + get("/next") + get("/last"));
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(asked_, 1);  // one after the other
  release();
  EXPECT_TRUE(client.read_until("!").ends_with("GET /later !"));
  EXPECT_TRUE(client.read_until("!").ends_with("GET /next !"));
  EXPECT_TRUE(client.read_until("!").ends_with("GET /last !"));
  EXPECT_EQ(gone_, 0);
}

TEST_F(HttpServing, a_client_that_leaves_is_noticed) {
  {
    RawClient client(port());
    client.send(get("/later"));
    ASSERT_TRUE(await([&] { return asked_ == 1; }));
  }
  EXPECT_TRUE(await([&] { return gone_ == 1; }));
  RawClient client(port());
  client.send(get("/later"));
  ASSERT_TRUE(await([&] { return asked_ == 2; }));
  client.vanish();
  EXPECT_TRUE(await([&] { return gone_ == 2; }));
}

// It says that it sends no more, which is not that it has left.
TEST_F(HttpServing, a_half_closed_connection_is_answered) {
  RawClient client(port());
  client.send(get("/later"));
  client.end_sending();
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  std::this_thread::sleep_for(milliseconds(150));
  EXPECT_EQ(gone_, 0);
  release();
  const std::string answer = client.read_all();
  EXPECT_TRUE(answer.ends_with("GET /later !")) << answer;
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")) << answer;
  RawClient quick(port());
  quick.send(get("/a") + get("/b"));
  quick.end_sending();
  const std::string both = quick.read_all();
  EXPECT_NE(both.find("GET /a !"), std::string::npos);
  EXPECT_TRUE(both.ends_with("GET /b !"));
  EXPECT_EQ(both.find("100 Continue"), std::string::npos);
}

TEST_F(HttpServing, old_clients_are_not_sent_what_they_do_not_know) {
  RawClient client(port());
  client.send("GET /later HTTP/1.0\r\n\r\n");
  client.end_sending();
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  std::this_thread::sleep_for(milliseconds(100));
  release();
  const std::string answer = client.read_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
}

TEST_F(HttpServing, slow_senders_are_left) {
  options_.timeout_ms = 300;
  RawClient silent(port());  // says nothing at all
  RawClient client(port());
  const auto begin = monotonic_nanos();
  std::string answer;
  std::thread drip([&] {
    for (int i = 0; i < 100 && client.send("a"); ++i) std::this_thread::sleep_for(milliseconds(20));
  });
  client.send("POST /x HTTP/1.1\r\nHost: h\r\nA: ");
  answer = client.read_until("\" }");
  drip.join();
  EXPECT_EQ(status_of(answer), 408) << answer;
  EXPECT_LT(monotonic_nanos() - begin, 5'000'000'000);  // all it drips would take longer
  EXPECT_EQ(silent.read_all(), "");
  RawClient other(port());  // it goes on
  other.send(get("/a"));
  EXPECT_EQ(status_of(other.read_until("!")), 200);
}

TEST_F(HttpServing, connections_that_are_idle_are_left) {
  options_.idle_ms = 100;
  RawClient client(port());
  client.send(get("/a"));
  EXPECT_EQ(status_of(client.read_until("!")), 200);
  EXPECT_EQ(client.read_all(), "");
}

TEST_F(HttpServing, clients_that_do_not_read_are_left) {
  options_.timeout_ms = 200;
  options_.min_bytes_per_second = 1 << 30;
  RawClient client(port());
  client.send(get("/big"));  // more than sockets hold
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  std::this_thread::sleep_for(milliseconds(900));
  EXPECT_LT(client.read_all().size(), 20u << 20);
}

TEST_F(HttpServing, what_all_send_together_is_bounded) {
  options_.max_held_bytes = 100'000;
  const std::string head = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n";
  RawClient first(port()), second(port());
  first.send(head + std::string(59'999, 'a'));
  std::this_thread::sleep_for(milliseconds(100));
  second.send(head + std::string(60'000, 'b'));
  EXPECT_EQ(status_of(second.read_all()), 503);
  first.send("a");
  EXPECT_EQ(status_of(first.read_until("!")), 200);
  second.leave();
  RawClient third(port());
  third.send(head + std::string(60'000, 'c'));
  EXPECT_EQ(status_of(third.read_until("!")), 200);
}

TEST_F(HttpServing, large_answers) {
  RawClient client(port());
  client.send(get("/big", "Connection: close\r\n"));
  EXPECT_GT(client.read_all().size(), 20u << 20);
}

TEST_F(HttpServing, refuses_what_is_wrong_and_goes_on) {
  options_.max_body_bytes = 1000;
  const auto answer_to = [&](const std::string& bytes) {
    RawClient client(port());
    client.send(bytes);
    return status_of(client.read_all());
  };
  EXPECT_EQ(answer_to("nonsense\r\n\r\n"), 400);
  EXPECT_EQ(answer_to("GET /" + std::string(100'000, 'a')), 431);
  EXPECT_EQ(answer_to("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" +
                      std::string(100'000, 'a')),
            413);
  EXPECT_EQ(answer_to("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 400);
  EXPECT_EQ(answer_to("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1001\r\n"), 413);
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(
      answer_to(
          "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
          "3\r\nabc\r\n0\r\n\r\n"),
      200);
}

TEST_F(HttpServing, expect_100_continue) {
  RawClient client(port());
  client.send("POST /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  EXPECT_TRUE(client.read_until("!").ends_with("POST /x ok!"));
}

TEST_F(HttpServing, a_connection_has_so_many_requests) {
  options_.max_requests = 3;
  RawClient client(port());
  client.send(get("/a") + get("/b") + get("/c") + get("/d"));
  const std::string answers = client.read_all();
  EXPECT_NE(answers.find("GET /c !"), std::string::npos);
  EXPECT_EQ(answers.find("GET /d !"), std::string::npos);
}

TEST_F(HttpServing, there_are_so_many_connections) {
  options_.max_connections = 2;
  RawClient first(port()), second(port());
  for (RawClient* client : {&first, &second}) {
    client->send(get("/a"));
    EXPECT_EQ(status_of(client->read_until("!")), 200);
  }
  RawClient third(port());
  third.send(get("/a"));
  EXPECT_EQ(status_of(third.read_all()), 503);
  first.leave();
  EXPECT_TRUE(await([&] {
    RawClient next(port());
    next.send(get("/a", "Connection: close\r\n"));
    return status_of(next.read_all()) == 200;
  }));
}

// A thread that is held up is replaced by another, as many as there may be.
TEST_F(HttpServing, slow_answers_do_not_hold_up_others) {
  options_.threads = 8;
  port();
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto begin = monotonic_nanos();
  for (int i = 0; i < 6; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->send(get("/slow"));
  }
  for (const auto& client : clients) EXPECT_EQ(status_of(client->read_until("!")), 200);
  EXPECT_LT(monotonic_nanos() - begin, 1'500'000'000);  // one after the other: 1.8 s
}

TEST_F(HttpServing, ends_when_all_are_answered) {
  RawClient idle(port()), busy(port());
  idle.send(get("/a"));
  EXPECT_EQ(status_of(idle.read_until("!")), 200);
  busy.send(get("/later"));
  ASSERT_TRUE(await([&] { return asked_ == 2; }));
  const int place = port();
  const auto begin = monotonic_nanos();
  std::thread stop([&] { server_->shut_down(20'000); });
  ASSERT_TRUE(await([&] { return !RawClient(place, 50).is_connected(); }));
  idle.send(get("/b"));  // who is in is still answered, once
  const std::string last = idle.read_all();
  EXPECT_TRUE(last.ends_with("Connection: close\r\n\r\nGET /b !")) << last;
  release();
  EXPECT_TRUE(busy.read_all().ends_with("GET /later !"));
  stop.join();
  EXPECT_LT(monotonic_nanos() - begin, 5'000'000'000);  // of the 20 s it may wait
}

// Clients that hammer, some with a connection for each request: whoever gets in is answered.
TEST_F(HttpServing, no_request_is_lost_when_it_ends) {
  const int place = port();
  std::atomic<int> answered = 0, lost = 0, refused = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 64; ++i)
    clients.emplace_back([&, stays = i % 2 == 0] {
      while (true) {
        RawClient client(place);
        if (!client.is_connected()) {
          ++refused;
          return;
        }
        for (bool goes_on = true; goes_on;) {
          if (!client.send(get("/x", stays ? "" : "Connection: close\r\n"))) {
            ++lost;
            break;
          }
          const std::string answer = client.read_until("!");
          ++(status_of(answer) == 200 && answer.ends_with("!") ? answered : lost);
          goes_on = answer.find("keep-alive") != std::string::npos;
        }
      }
    });
  ASSERT_TRUE(await([&] { return answered > 500; }));
  const auto begin = monotonic_nanos();
  server_->shut_down(20'000);
  EXPECT_LT(monotonic_nanos() - begin, 10'000'000'000);  // of the 20 s it may wait
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(refused, 64);
  EXPECT_GT(answered, 500);
}

}  // namespace
}  // namespace rill::net
