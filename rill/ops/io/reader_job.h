#pragma once

#include "rill/ops/io/reader.h"

namespace rill {

// A call that needs the turn at a reader. It may stop to wait for something else meanwhile, and
// keeps the turn.
class ReaderJob : public std::enable_shared_from_this<ReaderJob> {
 public:
  ReaderJob(KernelCall& call, Done done, std::shared_ptr<Reader> reader)
      : call_(call), reader_(std::move(reader)), done_(std::move(done)) {}
  virtual ~ReaderJob() = default;

  void start();  // at most once, and nothing of the call is touched afterwards

 protected:
  // Goes on. False: it waits, and whoever ends that calls resume(); nothing is touched until then.
  virtual bool advance() = 0;
  void resume();

  KernelCall& call_;
  const std::shared_ptr<Reader> reader_;

 private:
  friend class ReaderTurn;
  void go_on();
  std::shared_ptr<ReaderJob> pass_turn() const;

  const Done done_;
};

}  // namespace rill
