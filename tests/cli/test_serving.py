"""What `gendei serve` promises to whoever stops it."""

import socket

from gendei.cli.serving import GRACE_SECONDS
from gendei.conversation.inbound import echoes
from gendei.conversation.outbound import outbox
from gendei.conversation.turns.worker import WorkerPace
from gendei.observing import otlp

CLOUD_RUN_SECONDS = 10


def test_all_that_a_stop_waits_for_is_less_than_what_cloud_run_gives():
    waits = (GRACE_SECONDS, WorkerPace().grace, echoes.STOP_SECONDS, outbox.STOP_SECONDS, otlp.STOP_SECONDS)
    assert sum(waits) < CLOUD_RUN_SECONDS


def test_a_role_that_does_not_exist_is_refused(gendei):
    result = gendei("serve", "--role", "sender")
    assert (result.exit_code, "sender" in result.output) == (2, True)


def test_with_several_processes_each_has_its_role_already(gendei):
    result = gendei("serve", "--workers", "2", "--role", "web")
    assert (result.exit_code, "leave this out" in result.output) == (2, True)


def test_a_port_that_is_taken_is_said_so(gendei):
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = gendei("serve", "--port", other.getsockname()[1])
    assert (result.exit_code, "Choose another with --port" in result.stderr) == (1, True)


def test_serve_looks_where_its_database_lies(tmp_path, gendei, monkeypatch):
    looked = []
    monkeypatch.setenv("GENDEI_DATABASE", f"sqlite:///{tmp_path / 'own.db'}")
    monkeypatch.setattr("gendei.cli.serving.warn_of_network", looked.append)
    gendei("serve", "--port", "0", "--host", "256.0.0.1")
    assert looked == [tmp_path / "own.db"]
