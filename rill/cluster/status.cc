#include "rill/cluster/status.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "rill/base/clock.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/contacts.h"
#include "rill/cluster/service.h"
#include "rill_cluster/cluster.pb.h"

namespace rill::cluster {
namespace {

std::int64_t millis_ago(std::int64_t nanos) {
  return nanos == 0 ? -1 : (monotonic_nanos() - nanos) / 1'000'000;
}

std::string time_text(std::int64_t millis) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f s", static_cast<double>(millis) / 1000);
  return text.data();
}

wire::StatusResponse ask(const std::string& address, const SecurityOptions& security,
                         std::int64_t timeout_ms) {
  const auto response = std::make_shared<wire::StatusResponse>();
  call_and_wait(*link_to(address, client_security(security)), kStatus,
                std::make_shared<wire::StatusRequest>(), response, {.timeout_ms = timeout_ms});
  return std::move(*response);
}

class Report {
 public:
  void add(const std::string& task, const wire::StatusResponse& status) {
    text_ += str_cat(task, " at ", status.address(), ": up for ", time_text(status.up_millis()),
                     ", GraphDef version ", status.graph_version(), "\n");
    for (const auto& contact : status.contact()) add_contact(contact);
    for (const auto& session : status.session()) add_session(session);
    if (status.worker_session_size() > 0)
      text_ += str_cat("  takes part in ", status.worker_session_size(), " sessions\n");
    for (const auto& wait : status.wait())
      text_ += str_cat("  step ", wait.step(), " waits for ", wait.tensor(), " of ", wait.source(),
                       " since ", time_text(wait.millis()), "\n");
  }
  void add_failure(const std::string& task, const std::string& address, const Error& error) {
    text_ += str_cat(task, " at ", address, ": ", error.message(), "\n");
  }
  std::string text() && { return std::move(text_); }

 private:
  void add_contact(const wire::Contact& contact) {
    if (contact.answered_millis_ago() < 0 && contact.failed_millis_ago() < 0) return;
    text_ += str_cat("  ", contact.task(), ":");
    if (contact.answered_millis_ago() >= 0)
      text_ += str_cat(" answered ", time_text(contact.answered_millis_ago()), " ago");
    if (contact.failed_millis_ago() >= 0)
      text_ += str_cat(contact.answered_millis_ago() >= 0 ? ", " : " ", "did not ",
                       time_text(contact.failed_millis_ago()), " ago (", contact.failure(), ")");
    text_ += "\n";
  }
  void add_session(const wire::Session& session) {
    text_ += str_cat("  master of session ", session.handle(), ", open for ",
                     time_text(session.open_millis()), ", ", session.steps(), " steps, ",
                     session.task_size(), " tasks\n");
    for (const auto& step : session.step()) {
      text_ += str_cat("    step ", step.id(), " runs for ", time_text(step.running_millis()));
      std::string who;
      for (const std::string& task : step.waits_for()) who += (who.empty() ? "" : ", ") + task;
      text_ += who.empty() ? "\n" : str_cat(", waits for ", who, "\n");
    }
  }

  std::string text_;
};

}  // namespace

void tell_contacts(const ClusterSpec& cluster, wire::StatusResponse* status) {
  const auto known = contacts();
  for (const auto& [task, address] : cluster.addresses()) {
    auto& told = *status->add_contact();
    told.set_task(task);
    told.set_address(address);
    const auto it = std::ranges::find(known, address, [](const auto& c) { return c->address; });
    const Contact::Seen seen = it == known.end() ? Contact::Seen() : (*it)->seen();
    told.set_answered_millis_ago(millis_ago(seen.answered));
    told.set_failed_millis_ago(millis_ago(seen.failed));
    told.set_failure(seen.failure);
  }
}

std::string cluster_status(const std::string& target, std::int64_t timeout_ms) {
  const RemoteTarget remote = remote_target(target);
  const wire::StatusResponse first = ask(remote.address, remote.security, timeout_ms);
  Report report;
  report.add(first.task(), first);
  for (const auto& other : first.contact()) {
    if (other.task() == first.task()) continue;
    try {
      report.add(other.task(), ask(other.address(), remote.security, timeout_ms));
    } catch (const Error& error) {
      report.add_failure(other.task(), other.address(), error);
    }
  }
  return std::move(report).text();
}

}  // namespace rill::cluster
