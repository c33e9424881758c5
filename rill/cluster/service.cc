#include "rill/cluster/service.h"

#include <atomic>
#include <mutex>

#include "rill/base/scheduler.h"
#include "rill/cluster/contacts.h"

namespace rill::cluster {
namespace {

class RemoteLink final : public Link {
 public:
  RemoteLink(std::string address, std::shared_ptr<const net::ClientSecurity> security)
      : address_(std::move(address)),
        security_(std::move(security)),
        contact_(contact_with(address_)) {}

  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request,
                                         MutableMessageRef response, const CallOptions& options,
                                         Done done) override {
    const auto read = [response](google::protobuf::io::ZeroCopyInputStream& bytes) {
      return response->ParseFromZeroCopyStream(&bytes);
    };
    return call(method, std::move(request), Read(read), options, std::move(done));
  }

  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request, Read read,
                                         const CallOptions& options, Done done) override {
    net::RpcRequest rpc{.address = address_,
                        .method = method,
                        .fail_fast = !options.wait_for_ready,
                        .timeout_ms = options.timeout_ms,
                        .read = options.sink == nullptr ? std::move(read) : Read(),
                        .sink = options.sink,
                        .security = security_};
    if (!request->SerializeToString(&rpc.body)) {
      done(Error(Code::kInvalidArgument, str_cat("a message to ", address_, " is beyond 2 GiB")));
      return nullptr;
    }
    return net::start_rpc(
        std::move(rpc), [done = std::move(done), contact = contact_](const net::RpcResult& result) {
          contact->note(result.code, result.message);
          if (result.code == Code::kOk) return done({});
          if (result.code != Code::kUnavailable) return done(Error(result.code, result.message));
          done(Error(result.code, str_cat("The task at ", contact->address,
                                          " cannot be reached: ", result.message)));
        });
  }
  const std::string& address() const override { return address_; }

 private:
  const std::string address_;
  const std::shared_ptr<const net::ClientSecurity> security_;
  const std::shared_ptr<Contact> contact_;
};

class LocalLink final : public Link {
 public:
  LocalLink(std::string address, std::weak_ptr<const Service> service)
      : address_(std::move(address)), service_(std::move(service)) {}

  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request,
                                         MutableMessageRef response, const CallOptions&,
                                         Done done) override {
    const std::shared_ptr<const Service> service = service_.lock();
    if (service == nullptr) {
      done(Error(Code::kUnavailable, str_cat("The server at ", address_, " has been stopped")));
      return nullptr;
    }
    service->call(method, *request, *response, {},
                  [request, response, done = std::move(done)](std::optional<Error> error) {
                    done(std::move(error));
                  });
    return nullptr;
  }
  // What this process asks of itself it need not write down.
  std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef, Read,
                                         const CallOptions&, Done done) override {
    done(Error(Code::kInternal, str_cat(method, " in the same process")));
    return nullptr;
  }
  const std::string& address() const override { return address_; }

 private:
  const std::string address_;
  const std::weak_ptr<const Service> service_;
};

}  // namespace

void Service::answer_with(const Done& done, const std::function<void()>& method) {
  std::optional<Error> failure;
  try {
    method();
  } catch (...) {
    failure = current_error();
  }
  done(std::move(failure));
}

void Service::call(const std::string& name, const google::protobuf::MessageLite& request,
                   google::protobuf::MessageLite& response, const net::CallLimits& limits,
                   Done done) const {
  const auto it = local_.find(name);
  if (it == local_.end())
    return done(Error(Code::kUnimplemented, str_cat("There is no method ", name)));
  it->second(request, response, limits, std::move(done));
}

namespace {

std::atomic<Network*> stand_in{nullptr};

int& threads_permission() {
  thread_local int allowed = 0;
  return allowed;
}

}  // namespace

Service::OnThisThread::OnThisThread() { ++threads_permission(); }
Service::OnThisThread::~OnThisThread() { --threads_permission(); }
bool Service::OnThisThread::is_allowed() { return threads_permission() > 0; }
void Service::OnThisThread::swap(int& other) { std::swap(threads_permission(), other); }

void stand_in_for_network(Network* network) { stand_in = network; }

std::shared_ptr<Link> link_to(const std::string& address,
                              std::shared_ptr<const net::ClientSecurity> security) {
  if (Network* const network = stand_in) return network->link_to(address);
  return std::make_shared<RemoteLink>(address, std::move(security));
}
std::shared_ptr<Link> link_to(const std::string& address, std::weak_ptr<const Service> service) {
  return std::make_shared<LocalLink>(address, std::move(service));
}

void call_and_wait(Link& link, const std::string& method, MessageRef request,
                   MutableMessageRef response, const CallOptions& options) {
  struct Answer {
    std::mutex mutex;
    Condition changed;
    bool came = false;
    std::optional<Error> error;
  };
  const auto answer = std::make_shared<Answer>();
  link.call(method, std::move(request), std::move(response), options,
            [answer](std::optional<Error> error) {
              const std::lock_guard lock(answer->mutex);
              answer->error = std::move(error);
              answer->came = true;
              answer->changed.notify_all();
            });
  std::unique_lock lock(answer->mutex);
  answer->changed.wait(lock, [&] { return answer->came; });
  if (answer->error) throw *answer->error;
}

}  // namespace rill::cluster
