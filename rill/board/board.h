#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rill::board {

struct BoardOptions {
  std::string logdir = {};       // one directory; runs are the folders below it with event files
  std::string logdir_spec = {};  // or several, "name:directory,name2:directory2"
  std::string host = "127.0.0.1";
  int port = 6006;                // 0: a free one
  bool tries_next_ports = false;  // when it is taken, the ten behind it
  std::string path_prefix = {};   // "/board" when it stands behind a proxy
  std::string window_title = {};
  // Who may look when others than this machine can reach it: those who bring this in the address.
  // Made anew unless it is given; "none": everybody.
  std::string token = {};
  double reload_seconds = 0.25;
  int reading_threads = 0;                      // 0: one for each core
  std::vector<std::string> allowed_hosts = {};  // names under which proxies reach it
};

// The dashboard: reads logs and shows them at an address. Goes on until it is destroyed.
class Board {
 public:
  // Throws InvalidArgument for options that make no sense, Unavailable when the port is taken.
  explicit Board(const BoardOptions& options);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  int port() const;
  std::string url() const;  // with the token, if there is one
  // Until everything that was there at the start has been read.
  void wait_until_loaded() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What the event files below the directories hold, in words, as `tensorboard --inspect` tells it:
// of all runs, or of one file; of all tags, or of one.
struct InspectOptions {
  std::string logdir = {}, logdir_spec = {}, event_file = {}, tag = {};
};
std::string inspect_logs(const InspectOptions& options);

// One HTML file that shows the scalars of all runs without a server.
std::string html_report(const BoardOptions& options);

}  // namespace rill::board
