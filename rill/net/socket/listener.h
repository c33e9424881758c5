#pragma once

#include <string>

namespace rill::net {

// Where connections come in.
class Listener {
 public:
  // "unix:PATH" is a socket file, "fd:N" one that is listened at already. Port 0 is a free one.
  // Throws InvalidArgument when there is no such address, Unavailable when it is taken.
  Listener(const std::string& address, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  int socket() const { return socket_; }

  struct Accepted {
    int socket = -1;              // -1: nobody waits
    bool is_out_of_room = false;  // nobody can be taken: there are too many open files
  };
  Accepted accept();  // does not wait; the socket does not either
  // From now on nobody new gets in; who is in already can still be accepted, and who is just coming
  // in, a moment later. Then close() loses nobody.
  void stop_new();
  void close();

 private:
  void open_unix(const std::string& path);
  void open_network(const std::string& address, int port);
  void adopt(const std::string& number);
  int socket_ = -1;
  int port_ = 0;
  bool is_shared_ = false;  // others may listen at it when this does no more
  std::string path_;        // of a socket file
};

}  // namespace rill::net
