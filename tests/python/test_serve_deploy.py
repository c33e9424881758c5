"""The files of examples/serving/deploy: that they are what their tools take, and fit what the server has."""
import pathlib
import re
import shutil
import subprocess
import urllib.request

import pytest
import yaml
from serve_process import COMMAND, ROOT, Serving, add_version

DEPLOY = ROOT / "examples/serving/deploy"


@pytest.fixture(scope="module")
def manifests():
    return list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))


@pytest.fixture(scope="module")
def flags():
    return set(re.findall(r"^  --([a-z_]+)=", subprocess.run([COMMAND, "serve", "--help"], capture_output=True,
                                                              text=True, check=True).stdout, re.MULTILINE))


def of_kind(manifests, kind):
    [found] = [one for one in manifests if one["kind"] == kind]
    return found


def container_of(manifests):
    [container] = of_kind(manifests, "Deployment")["spec"]["template"]["spec"]["containers"]
    return container


def test_kubernetes_takes_the_manifests(manifests):
    validate = pytest.importorskip("kubernetes_validate")
    assert len(manifests) == 4
    for manifest in manifests:
        validate.validate(manifest, "1.30", strict=True)


def test_the_flags_are_the_servers(manifests, flags):
    recipe = (DEPLOY / "Containerfile").read_text()
    service = (DEPLOY / "rill-serve.service").read_text()
    used = re.findall(r"--([a-z]+_[a-z_]+|port)=", recipe + service)
    used += [arg[2:].split("=")[0] for arg in container_of(manifests)["args"]]
    assert len(used) > 8
    assert set(used) <= flags | {"model_name", "model_base_path"}


def test_labels_ports_and_times_fit(manifests):
    deployment, service = of_kind(manifests, "Deployment"), of_kind(manifests, "Service")
    pod = deployment["spec"]["template"]
    container = container_of(manifests)
    for selector in (deployment["spec"]["selector"]["matchLabels"], service["spec"]["selector"],
                     of_kind(manifests, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"]):
        assert selector.items() <= pod["metadata"]["labels"].items()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert {port["targetPort"] for port in service["spec"]["ports"]} == set(ports)
    entry = (DEPLOY / "Containerfile").read_text()
    assert f"--port={ports['grpc']}" in entry and f"--rest_api_port={ports['rest']}" in entry
    grace = int(re.search(r"--shutdown_grace_ms=(\d+)", " ".join(container["args"])).group(1)) / 1000
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["spec"]["terminationGracePeriodSeconds"] > grace + pause
    assert deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_a_server_with_these_files_answers_the_probes(manifests, tmp_path):
    add_version(tmp_path / "half")
    for name, text in of_kind(manifests, "ConfigMap")["data"].items():
        (tmp_path / name).write_text(text.replace("/models/half", str(tmp_path / "half")))
    args = [arg.replace("/etc/rill", str(tmp_path)) for arg in container_of(manifests)["args"]]
    paths = {container_of(manifests)[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")}
    paths.add(of_kind(manifests, "Deployment")["spec"]["template"]["metadata"]["annotations"]["prometheus.io/path"])
    assert len(paths) == 3
    with Serving(tmp_path, *args) as server:
        for path in paths:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.rest_port}{path}", timeout=10) as answer:
                assert answer.status == 200
        assert server.stop() == 0


def test_the_container_has_what_the_command_needs():
    recipe = (DEPLOY / "Containerfile").read_text()
    for path in re.findall(r"^COPY --from=build /rill/(\S+)", recipe, re.MULTILINE):
        assert (ROOT / path).exists(), path
    if shutil.which("dpkg") is None or "bookworm" not in pathlib.Path("/etc/os-release").read_text():
        pytest.skip("the packages are those of Debian 12")
    wanted = set(re.search(r"--no-install-recommends(.*?)&&", recipe, re.DOTALL).group(1).replace("\\", " ").split())
    needed = re.findall(r"NEEDED\s+(\S+)", subprocess.run(
        ["objdump", "-p", ROOT / "bin/rill", ROOT / "build/release/lib/librill.so"], capture_output=True, text=True,
        check=True).stdout)
    linked = subprocess.run(["ldd", ROOT / "bin/rill"], capture_output=True, text=True, check=True).stdout
    paths = dict(re.findall(r"(\S+) => (\S+)", linked))
    owners = set()
    for name in set(needed) & set(paths) - {"librill.so"}:
        path = pathlib.Path(paths[name]).resolve()
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        found = found if found.returncode == 0 else subprocess.run(["dpkg", "-S", str(path).removeprefix("/usr")],
                                                                   capture_output=True, text=True)
        owners.add(found.stdout.split(":")[0])
    always = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}
    behind = {"libabsl20220623", "libgrpc29"}  # what libgrpc++1.51 depends on
    assert owners - always - behind <= wanted


def test_systemd_takes_the_units(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not there")
    for unit in DEPLOY.glob("rill-serve*.s*"):
        (tmp_path / unit.name).write_text(unit.read_text().replace("/usr/bin/rill", str(COMMAND)))
    found = subprocess.run(["systemd-analyze", "verify", "--man=no", tmp_path / "rill-serve.service"],
                           capture_output=True, text=True)
    assert "rill-serve" not in found.stderr, found.stderr
