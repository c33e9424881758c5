#include "rill/base/child_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "rill/base/error.h"

extern char** environ;  // NOLINT

namespace rill {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const ChildProcess::Variables& variables) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(str_cat(name, "=", value));
  return all;
}

std::atomic<int> caught = 0;
void note_signal(int number) { caught = number; }

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv, const Variables& variables) {
  require(!argv.empty(), "there is no program to start");
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    raise(Code::kResourceExhausted, "no pipe for ", argv[0], ": ", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // signals reach its children too
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> words = argv, environment = environment_with(variables);
  const int failed = posix_spawnp(&pid_, words[0].c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    raise(Code::kNotFound, "cannot start ", argv[0], ": ", std::strerror(failed));
  }
  output_ = ends[0];
  fcntl(output_, F_SETFL, fcntl(output_, F_GETFL) | O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  if (!status()) {
    kill();
    int ignored = 0;
    while (waitpid(pid_, &ignored, 0) < 0 && errno == EINTR) {
    }
  }
  if (output_ >= 0) close(output_);
}

std::string ChildProcess::read() {
  std::string text;
  char piece[4096];
  while (output_ >= 0) {
    const ssize_t count = ::read(output_, piece, sizeof piece);
    if (count > 0) {
      text.append(piece, static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || errno != EAGAIN) {
      close(output_);
      output_ = -1;
    }
    break;
  }
  return text;
}

std::optional<int> ChildProcess::status() {
  if (status_ || pid_ < 0) return status_;
  int state = 0;
  if (waitpid(pid_, &state, WNOHANG) == pid_)
    status_ = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  return status_;
}

void ChildProcess::ask_to_end() {
  if (!status()) ::kill(-pid_, SIGTERM);
}
void ChildProcess::kill() {
  if (!status()) ::kill(-pid_, SIGKILL);
}

void wait_for_output(const std::vector<ChildProcess*>& children, int millis) {
  std::vector<pollfd> ends;
  for (const ChildProcess* child : children)
    if (child->output_ >= 0) ends.push_back({.fd = child->output_, .events = POLLIN, .revents = 0});
  poll(ends.data(), ends.size(), millis);
}

std::vector<int> free_ports(int count) {
  std::vector<int> ports, sockets;
  for (int i = 0; i < count; ++i) {
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    const bool bound =
        made >= 0 && bind(made, plain, size) == 0 && getsockname(made, plain, &size) == 0;
    if (made >= 0) sockets.push_back(made);
    if (bound) ports.push_back(ntohs(address.sin_port));
  }
  for (const int made : sockets) close(made);
  if (static_cast<int>(ports.size()) != count)
    raise(Code::kResourceExhausted, "there are no ", count, " free ports");
  return ports;
}

std::string own_program() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  require(length > 0, "this process cannot tell its own program");
  return {path, static_cast<std::size_t>(length)};
}

CaughtSignals::CaughtSignals() {
  caught = 0;
  for (const int number : {SIGINT, SIGTERM}) ::signal(number, note_signal);
}
CaughtSignals::~CaughtSignals() {
  for (const int number : {SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
}
int CaughtSignals::received() { return caught; }

}  // namespace rill
