"""Two hosts on this machine: network namespaces with a cable between them that can be cut in one direction."""
import contextlib
import os
import shutil
import subprocess


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class TwoHosts:
    """As a context: they are gone afterwards, with what runs in them."""

    ADDRESSES = ("10.213.77.1", "10.213.77.2")
    NOBODY = "02:00:00:00:77:99"  # a network card that does not exist

    def __init__(self):
        self.names = [f"rill{os.getpid()}{side}" for side in "ab"]
        self.cards = [f"rl{os.getpid() % 100000}{side}" for side in "ab"]
        self.addresses = self.ADDRESSES

    @staticmethod
    def missing():
        """Why there can be none; nothing: there can."""
        if shutil.which("ip") is None:
            return "there is no `ip` program"
        name = f"rill{os.getpid()}try"
        tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
        if tried.returncode != 0:
            return "network namespaces need more rights: " + tried.stderr.strip()
        subprocess.run(["ip", "netns", "delete", name], check=True)
        return None

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for name in self.names:
                ip("netns", "add", name)
                stack.callback(subprocess.run, ["ip", "netns", "delete", name], check=False)
            ip("link", "add", self.cards[0], "netns", self.names[0], "type", "veth", "peer", "name", self.cards[1], "netns",
               self.names[1])
            for name, card, address in zip(self.names, self.cards, self.addresses):
                ip("-n", name, "address", "add", address + "/24", "dev", card)
                ip("-n", name, "link", "set", card, "up")
                ip("-n", name, "link", "set", "lo", "up")
            self.macs = [self.mac(side) for side in (0, 1)]
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def mac(self, side):
        path = f"/sys/class/net/{self.cards[side]}/address"
        return subprocess.run([*self.inside(side), "cat", path], check=True, capture_output=True, text=True).stdout.strip()

    def inside(self, side):
        """What comes before a command that runs on this host."""
        return ["ip", "netns", "exec", self.names[side]]

    def send_to(self, side, mac):
        ip("-n", self.names[side], "neighbour", "replace", self.addresses[1 - side], "lladdr", mac, "dev", self.cards[side],
           "nud", "permanent")

    @contextlib.contextmanager
    def cut(self, side):
        """Nothing that this host sends arrives; what is sent to it does."""
        self.send_to(side, self.NOBODY)
        try:
            yield
        finally:
            self.send_to(side, self.macs[1 - side])

    def slow_down(self, side, rate):
        """What the host sends goes no faster, and queues up for so long as 50 ms."""
        subprocess.run([*self.inside(side), "tc", "qdisc", "add", "dev", self.cards[side], "root", "tbf", "rate", rate, "burst",
                        "4kb", "latency", "50ms"], check=True, capture_output=True)
