#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "rill/base/error.h"
#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

// A request with its answer, which live until the answer is on its way.
template <class Request, class Response>
struct Exchange {
  std::shared_ptr<RpcCall> call;
  Request request;
  Response response;
};

// A method that reads a Request, and has `answer` fill a Response and call `done` once:
// `answer(request, &response, limits, done)`. It may not throw.
template <class Request, class Response, class Answer>
RpcMethod method_of(Answer answer) {
  return [answer = std::move(answer)](std::shared_ptr<RpcCall> call) {
    auto exchange = std::make_shared<Exchange<Request, Response>>();
    exchange->call = std::move(call);
    if (!exchange->request.ParseFromZeroCopyStream(&exchange->call->request()))
      return exchange->call->fail(
          Error(Code::kInvalidArgument, str_cat("The request is no ", Request().GetTypeName())));
    answer(exchange->request, &exchange->response, exchange->call->limits(),
           [exchange](std::optional<Error> error) {
             if (error)
               exchange->call->fail(*error);
             else
               exchange->call->reply(exchange->response);
           });
  };
}

}  // namespace rill::net
