#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/graph/scope.h"
#include "rill/runtime/session/session.h"
#include "tests/script/scanner.h"

namespace rill::script {

// The graph and the session that a script builds and runs, statement by statement.
class Program {
 public:
  explicit Program(SessionOptions options);

  // The fetched values, in order; throws Error when the statement fails.
  std::vector<Tensor> execute(std::string_view statement);

 private:
  void add_node(Scanner& in);
  void change_input(Scanner& in);
  std::vector<Tensor> run(Scanner& in);
  void open_session(Scanner& in);
  static void reset(Scanner& in);

  Node& call(Scope scope, Scanner& in, const std::string& op_name, std::string_view name);
  InputArg argument(const Scope& scope, Scanner& in);
  Input input(const Scope& scope, Scanner& in);
  Output expression(const Scope& scope, Scanner& in);
  std::vector<Feed> feeds(Scanner& in);

  SessionOptions options_;
  std::shared_ptr<Graph> graph_;
  Scope scope_;
  std::unique_ptr<Session> session_;
};

}  // namespace rill::script
