#include "rill/cluster/contacts.h"

#include <map>

#include "rill/base/clock.h"

namespace rill::cluster {
namespace {

struct Contacts {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Contact>> by_address;
};
Contacts& all_contacts() {
  static Contacts& all = *new Contacts;  // calls may end late
  return all;
}

}  // namespace

void Contact::note(Code code, const std::string& message) {
  const std::int64_t now = monotonic_nanos();
  const std::lock_guard lock(mutex_);
  if (code == Code::kUnavailable || code == Code::kDeadlineExceeded) {
    seen_.failed = now;
    seen_.failure = message;
  } else if (code != Code::kCancelled) {
    seen_.answered = now;
  }
}

Contact::Seen Contact::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

std::shared_ptr<Contact> contact_with(const std::string& address) {
  Contacts& all = all_contacts();
  const std::lock_guard lock(all.mutex);
  auto& contact = all.by_address[address];
  if (contact == nullptr) contact = std::make_shared<Contact>(address);
  return contact;
}

std::vector<std::shared_ptr<Contact>> contacts() {
  Contacts& all = all_contacts();
  const std::lock_guard lock(all.mutex);
  std::vector<std::shared_ptr<Contact>> list;
  for (const auto& [address, contact] : all.by_address) list.push_back(contact);
  return list;
}

}  // namespace rill::cluster
