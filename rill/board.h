#pragma once

// The dashboard, for programs that show their own logs:
//
//   const rill::board::Board board({.logdir = "logs", .port = 0});
//   std::cout << board.url() << "\n";
#include "rill/board/board.h"
