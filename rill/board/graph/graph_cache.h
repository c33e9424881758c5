#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "rill/board/graph/graph_model.h"

namespace rill::board {

// The graphs that were looked at last. Safe from several threads at once.
class GraphCache {
 public:
  using Model = std::shared_ptr<const GraphModel>;
  // The graph of this key, made when it is not there.
  Model get(const std::string& key, const std::function<Model()>& make);
  // Keeps a graph that somebody has sent; returns its key. The oldest of several goes.
  std::string keep(Model model);
  // One that was kept; null when it is gone.
  Model kept(const std::string& key) const;

 private:
  static constexpr std::size_t kMost = 4;
  struct Entry {
    std::string key;
    Model model;
  };

  mutable std::mutex mutex_;
  std::deque<Entry> made_, kept_;
  std::uint64_t next_ = 1;
};

}  // namespace rill::board
