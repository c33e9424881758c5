#include "rill/board/board.h"

#include <optional>

#include "rill/base/background.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/board/gate.h"
#include "rill/board/graph/graph_cache.h"
#include "rill/board/plugin/question.h"
#include "rill/board/web/web_files.h"
#include "rill/net/http/http_server.h"

namespace rill::board {
namespace {

constexpr int kNextPorts = 10;
constexpr std::int64_t kAnswerMillis = 120'000;
// What the page may load: what comes from here. Notebooks of this machine may frame it.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*";

std::vector<LogDirectory> directories_of(const std::string& logdir, const std::string& spec) {
  require(logdir.empty() || spec.empty(), "--logdir and --logdir_spec cannot both be given");
  std::vector<LogDirectory> directories;
  if (!spec.empty()) {
    directories = parse_logdir_spec(spec);
  } else {
    require(!logdir.empty(), "A directory of logs is needed: --logdir");
    // "name:directory" lists were an option of --logdir before --logdir_spec came.
    const bool is_list = !is_directory(logdir) && (logdir.find(',') != std::string::npos ||
                                                   logdir.find(':') != std::string::npos);
    directories = is_list ? parse_logdir_spec(logdir) : parse_logdir_spec("");
    if (!is_list) {
      const std::string path =
          logdir.starts_with("~") ? parse_logdir_spec(logdir).at(0).path : logdir;
      directories.push_back({"", path});
    }
  }
  require(!directories.empty(), "A directory of logs is needed: --logdir");
  return directories;
}

std::string normal_prefix(std::string prefix) {
  while (prefix.ends_with('/')) prefix.pop_back();
  require(prefix.empty() || prefix.starts_with('/'), "--path_prefix begins with a slash");
  return prefix;
}

int status_of(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kFailedPrecondition:
    case Code::kOutOfRange:
      return 400;
    case Code::kPermissionDenied:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kResourceExhausted:
      return 413;
    case Code::kUnimplemented:
      return 501;
    default:
      return 500;
  }
}

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (const auto& routes :
       {core_routes(), scalar_routes(), media_routes(), text_routes(), histogram_routes(),
        pr_curve_routes(), graph_routes(), hparams_routes(), custom_scalar_routes(), mesh_routes(),
        projector_routes(), profile_routes(), search_routes()})
    all.insert(all.end(), routes.begin(), routes.end());
  return all;
}

}  // namespace

struct Board::Impl {
  explicit Impl(const BoardOptions& given)
      : options(given),
        prefix(normal_prefix(given.path_prefix)),
        logs({.directories = directories_of(given.logdir, given.logdir_spec),
              .reload_seconds = given.reload_seconds,
              .threads = given.reading_threads}),
        facts{.logs = logs,
              .graphs = graphs,
              .version = "2.15.0",
              .logdir = given.logdir.empty() ? given.logdir_spec : given.logdir,
              .window_title = given.window_title,
              .path_prefix = prefix},
        routes(all_routes()) {
    token = given.token == "none"           ? ""
            : !given.token.empty()          ? given.token
            : Gate::is_loopback(given.host) ? ""
                                            : Gate::fresh_token();
    gate.emplace(Gate::Options{given.host, token, given.allowed_hosts, prefix + "/"});
    const int last =
        given.port > 0 && given.tries_next_ports ? given.port + kNextPorts : given.port;
    for (int port = given.port;; ++port) {
      try {
        server.emplace([this](net::HttpRequest request,
                              const net::HttpReply& reply) { handle(std::move(request), reply); },
                       net::HttpServerOptions{.address = given.host,
                                              .port = port,
                                              .timeout_ms = kAnswerMillis,
                                              .max_body_bytes = std::uint64_t{1} << 30});
        break;
      } catch (const Error& error) {
        if (error.code() != Code::kUnavailable || port >= last) throw;
      }
    }
  }
  ~Impl() {
    logs.stop();  // answers those who wait, while there still is a server
    if (server) server->shut_down(200);
    server.reset();
  }

  void handle(net::HttpRequest request, const net::HttpReply& reply) {
    Answer answer;
    try {
      if (auto refused = gate->refusal(request)) return finish(std::move(*refused), request, reply);
      std::string_view target = request.target;
      if (!prefix.empty()) {
        if (target == prefix || target.starts_with(prefix + "?"))
          return reply({.status = 302, .headers = {{"Location", prefix + "/"}}});
        if (!target.starts_with(prefix + "/"))
          raise(Code::kNotFound, "There is nothing outside of ", prefix, "/");
        target.remove_prefix(prefix.size());
      }
      const Question question(request, target);
      if (question.path() == "/data/rill/changes") return tell_changes(question, request, reply);
      answer = answer_of(question);
    } catch (const Error& error) {
      answer = {.status = status_of(error.code()),
                .content_type = "text/plain; charset=utf-8",
                .body = valid_utf8(error.message()) + "\n"};
    } catch (const std::exception& error) {
      answer = {.status = 500,
                .content_type = "text/plain; charset=utf-8",
                .body = "The server could not answer: there is not enough memory, perhaps\n"};
    }
    finish(std::move(answer), request, reply);
  }

  Answer answer_of(const Question& question) const {
    // Of experiments there is one.
    std::string path = question.path();
    if (path.starts_with("/experiment/")) {
      const std::size_t end = path.find('/', 12);
      path = end == std::string::npos ? "/" : path.substr(end);
    }
    for (const Route& route : routes)
      if (route.path == path) return route.answer(facts, question);
    if (const WebFile* file = web_file(path == "/" ? "/index.html" : path))
      return {.content_type = std::string(file->type), .body = std::string(file->bytes)};
    raise(Code::kNotFound, "Not found");
  }

  // Answers when there is something new, or after a while.
  void tell_changes(const Question& question, const net::HttpRequest& request,
                    const net::HttpReply& reply) {
    const auto known = static_cast<std::uint64_t>(question.count_or("version", 0));
    struct Once {
      std::atomic_flag is_told = ATOMIC_FLAG_INIT;
      net::HttpReply reply;
      std::vector<std::pair<std::string, std::string>> headers;
      void tell(std::uint64_t version) {
        if (is_told.test_and_set()) return;
        JsonOut json;
        json.open_object().key("version").integer(static_cast<std::int64_t>(version));
        json.close_object();
        reply({.body = json.take(), .headers = headers});
      }
    };
    const auto once = std::make_shared<Once>();
    once->reply = reply;
    once->headers = headers_for(request);
    logs.on_change(known, [once](std::uint64_t version) { once->tell(version); });
  }

  std::vector<std::pair<std::string, std::string>> headers_for(
      const net::HttpRequest& request) const {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"Content-Security-Policy", std::string(kPolicy)},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    if (!token.empty() && request.target.find("token=") != std::string::npos)
      headers.emplace_back("Set-Cookie", str_cat("rill_board_token=", token, "; Path=", prefix,
                                                 "/; HttpOnly; SameSite=Strict"));
    return headers;
  }

  void finish(Answer answer, const net::HttpRequest& request, const net::HttpReply& reply) const {
    const bool is_refused = answer.status == 401 || answer.status == 403;
    for (auto& header : headers_for(request))
      if (!is_refused || header.first != "Set-Cookie") answer.headers.push_back(std::move(header));
    reply(std::move(answer));
  }

  const BoardOptions options;
  const std::string prefix;
  std::string token;
  std::optional<Gate> gate;
  LogStore logs;
  GraphCache graphs;
  const BoardFacts facts;
  const std::vector<Route> routes;
  std::optional<net::HttpServer> server;
};

Board::Board(const BoardOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Board::~Board() = default;

int Board::port() const { return impl_->server->port(); }

std::string Board::url() const {
  const std::string& host = impl_->options.host;
  const std::string shown = host == "127.0.0.1" || host == "0.0.0.0" || host == "::" ? "localhost"
                            : host.find(':') != std::string::npos ? str_cat("[", host, "]")
                                                                  : host;
  return str_cat("http://", shown, ":", port(), impl_->prefix, "/",
                 impl_->token.empty() ? "" : "?token=" + impl_->token);
}

void Board::wait_until_loaded() const { impl_->logs.wait_until_loaded(); }

}  // namespace rill::board
