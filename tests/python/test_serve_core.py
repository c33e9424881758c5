"""The model server's core as a command: versions found at once, models that are refused, platforms from a file."""
import os

import pytest

from test_serve import MODELS, add_version, await_true, run  # noqa: F401 (a fixture)

PREDICT = MODELS / "saved_models/predict/model"
READS_A_FILE = MODELS / "tf2_models/asset/model"


def states(server, model="default"):
    return {int(one["version"]): one for one in server.get(f"/v1/models/{model}")["model_version_status"]}


def test_a_version_that_is_moved_there_is_found_at_once(run, tmp_path):
    add_version(tmp_path / "m", PREDICT, 1)
    server = run(f"--model_base_path={tmp_path}/m", "--file_system_poll_wait_seconds=3600")
    add_version(tmp_path / "m", PREDICT, 2)
    assert await_true(lambda: states(server).get(2, {}).get("state") == "AVAILABLE")
    assert await_true(lambda: states(server)[1]["state"] == "END")
    os.rename(tmp_path / "m/2", tmp_path / "gone")
    assert await_true(lambda: states(server)[1]["state"] == "AVAILABLE")


@pytest.mark.parametrize("wait", ["0", "-1"])
def test_looking_once_or_never(run, tmp_path, wait):
    folder = tmp_path / "m"
    add_version(folder, PREDICT, 1)
    config = tmp_path / "models"
    config.write_text("model_config_list { }" if wait == "-1" else
                      f'model_config_list {{ config {{ name: "m" base_path: "{folder}" '
                      'model_platform: "tensorflow" } }')
    server = run(f"--model_config_file={config}", f"--file_system_poll_wait_seconds={wait}")
    add_version(folder, PREDICT, 2)
    status, body = server.request("GET", "/v1/models/m")
    assert (status, b'"1"' in body, b'"2"' in body) == ((200, True, False) if wait == "0" else (404, False, False))


def test_a_version_that_may_not_run_is_skipped(run, tmp_path):
    add_version(tmp_path / "m", PREDICT, 1)
    server = run(f"--model_base_path={tmp_path}/m", "--max_num_load_retries=0")
    add_version(tmp_path / "m", READS_A_FILE, 2)
    assert await_true(lambda: states(server).get(2, {}).get("state") == "END")
    status = states(server)[2]["status"]
    assert status["error_code"] == "PERMISSION_DENIED"
    assert "would run ReadFile" in status["error_message"]
    assert "--allowed_ops=default:ReadFile would allow it" in status["error_message"]
    assert states(server)[1]["state"] == "AVAILABLE"


def test_what_is_allowed_to_one_model(run, tmp_path):
    add_version(tmp_path / "m", READS_A_FILE)
    server = run(f"--model_base_path={tmp_path}/m", "--model_name=reader", "--allowed_ops=reader:ReadFile")
    assert states(server, "reader")[1]["state"] == "AVAILABLE"


def test_platforms_of_a_file(run, tmp_path):
    add_version(tmp_path / "m", PREDICT)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/4").write_text("a,1\n")
    kind = "type.googleapis.com/tensorflow.serving."
    (tmp_path / "platforms").write_text(f"""
        platform_configs {{ key: "tensorflow" value {{ source_adapter_config {{
          [{kind}SavedModelBundleSourceAdapterConfig] {{ legacy_config {{ saved_model_tags: "serve" }} }} }} }} }}
        platform_configs {{ key: "hashmap" value {{ source_adapter_config {{
          [{kind}HashmapSourceAdapterConfig] {{ }} }} }} }}""")
    (tmp_path / "models").write_text("model_config_list {" + "".join(
        f'config {{ name: "{name}" base_path: "{tmp_path}/{name}" model_platform: "{platform}" }}'
        for name, platform in (("m", "tensorflow"), ("tables", "hashmap"))) + "}")
    server = run(f"--platform_config_file={tmp_path}/platforms", f"--model_config_file={tmp_path}/models")
    assert states(server, "m")[1]["state"] == "AVAILABLE"
    assert states(server, "tables")[4]["state"] == "AVAILABLE"
    status, body = server.request("POST", "/v1/models/tables:predict", {"instances": [1]})
    assert status == 400 and b"another kind" in body
