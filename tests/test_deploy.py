"""What operators deploy with names variables, commands, files and addresses that exist."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.test_house import variables_of
from typer.testing import CliRunner

from gendei.app import ServiceRole
from gendei.cli import app as gendei
from gendei.settings import Settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SERVICES = sorted((DEPLOY / "cloud-run").glob("*.yaml"))
PORT = 8080


def service(path):
    """The revision's annotations and its one container."""
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    template = told["spec"]["template"]
    [container] = template["spec"]["containers"]
    return template["metadata"]["annotations"], container


services = pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)


def test_there_is_a_service_for_every_role():
    assert {path.stem for path in SERVICES} == {str(role) for role in ServiceRole}


@services
def test_it_runs_the_command_in_the_role_that_it_is_named_for(path):
    _, container = service(path)
    expected = f"gendei serve --host 0.0.0.0 --port {PORT} --role {path.stem}"
    assert [*container["command"], *container["args"]] == expected.split()
    options = CliRunner().invoke(gendei, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert [text for text in ("--host", "--port", "--role") if text not in options] == []


@services
def test_its_port_and_its_probes_are_those_of_the_service(path):
    _, container = service(path)
    probes = [container[name]["httpGet"] for name in ("startupProbe", "livenessProbe")]
    assert container["ports"] == [{"containerPort": PORT}]
    assert probes == [{"path": "/readyz", "port": PORT}, {"path": "/healthz", "port": PORT}]


@services
def test_its_variables_are_settings_also_those_that_are_commented_out(path):
    _, container = service(path)
    named = {item["name"] for item in container["env"]}
    commented = set(re.findall(r"# - name: (\w+)", path.read_text(encoding="utf-8")))
    assert (named | commented) - variables_of(Settings) == set()


@services
def test_no_secret_stands_in_it_in_the_clear(path):
    _, container = service(path)
    open_ones = {named["name"] for named in container["env"] if "value" in named}
    secret = {name for name in variables_of(Settings) if re.search("SECRET|TOKEN|KEY|HEADERS", name)}
    assert open_ones & secret == set()


@services
def test_its_processor_is_always_on_and_an_instance_always_there(path):
    annotations, _ = service(path)
    least, most = (int(annotations[f"autoscaling.knative.dev/{name}Scale"]) for name in ("min", "max"))
    assert (annotations["run.googleapis.com/cpu-throttling"], 1 <= least <= most) == ("false", True)


def test_only_who_takes_in_webhooks_has_metas_secrets():
    holders = {path.stem for path in SERVICES if "GENDEI_META_APP_SECRET" in path.read_text(encoding="utf-8")}
    assert holders == {str(role) for role in ServiceRole if role.receives}


def test_the_unit_runs_the_command_with_variables_that_are_settings():
    lines = (DEPLOY / "gendei.service").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("=", 1) for line in lines if "=" in line and not line.startswith("#")]
    named = {value.partition("=")[0] for name, value in pairs if name == "Environment"}
    assert named - variables_of(Settings) == set()
    assert dict(pairs)["ExecStart"] == "/opt/gendei/bin/gendei serve --host 127.0.0.1 --port 8000"


def test_the_proxy_keeps_the_figures_inside():
    caddy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert ("/metrics" in caddy, "reverse_proxy 127.0.0.1:8000" in caddy) == (True, True)


def test_firebase_deploys_the_rules_and_indexes_that_there_are():
    told = json.loads((ROOT / "firebase.json").read_text(encoding="utf-8"))["firestore"]
    assert [name for name in told.values() if not (ROOT / name).is_file()] == []


def test_the_image_runs_as_an_ordinary_user_with_a_health_check():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    last_stage = lines[max(number for number, line in enumerate(lines) if line.startswith("FROM")) :]
    assert [line for line in last_stage if line.startswith("USER")] == ["USER gendei"]
    assert [line.split()[0] for line in last_stage if line.startswith(("HEALTHCHECK", "CMD"))] == ["HEALTHCHECK", "CMD"]


def test_the_image_is_built_from_every_folder_that_the_wheel_takes_in():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    copied = re.findall(r"^COPY (\w+) \./\w+$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    needed = {"src", *project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]}
    assert (needed - set(copied), {f"!{name}" for name in needed} - set(sent)) == (set(), set())
