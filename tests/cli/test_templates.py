"""templates list and sync, against a stand-in of the Graph API on this machine."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from tests.cli.conftest import AURORA, BROMELIA

TEMPLATES = """
templates:
  reminder: {name: lembrete, parameters: [patient, time], quick_replies: 1}
  moved: {name: mudou}
"""
LEMBRETE = {
    "name": "lembrete",
    "language": "pt_BR",
    "status": "APPROVED",
    "category": "UTILITY",
    "quality_score": {"score": "GREEN"},
    "components": [
        {"type": "BODY", "text": "Olá {{1}}, às {{2}}."},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Sim"}]},
    ],
}


@contextmanager
def graph(answer, asked):
    """Answers every GET with `answer`; `asked` collects (path, token)."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):  # the name that http.server calls
            asked.append((self.path.partition("?")[0], self.headers["authorization"]))
            body = json.dumps(answer).encode()
            self.send_response(200 if "data" in answer else 401)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            length = int(self.headers["content-length"])
            asked.append((self.path, json.loads(self.rfile.read(length))))
            body = json.dumps({"id": "7", "status": "PENDING", "category": "UTILITY"}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments):
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def aurora(gendei, tmp_path):
    """Aurora with two templates and its account, beside Bromélia without."""
    text = AURORA.read_text(encoding="utf-8").replace("phone_number_id:", 'waba_id: "5550001", phone_number_id:', 1)
    assert "waba_id" in text
    file = tmp_path / "aurora.yaml"
    file.write_text(text + TEMPLATES, encoding="utf-8")
    result = gendei("clinics", "import", file, BROMELIA)
    assert result.exit_code == 0, result.output


@pytest.mark.usefixtures("aurora")
def test_before_the_first_look_nothing_is_known(gendei):
    assert gendei("templates", "list", "--clinic", "aurora").stdout == (
        "moved          mudou (pt_BR): cannot be used: was not looked up yet [-]\n"
        "reminder       lembrete (pt_BR): cannot be used: was not looked up yet [-]\n"
    )


def test_where_no_number_needs_templates_they_are_said_to_go_as_text(gendei, tmp_path):
    channels = (
        "channels: [{provider: evolution, instance: aurora, base_url: 'https://evolution.invalid', api_key: key, "
        "webhook_secret: 0123456789abcdef}]\n"
    )
    file = tmp_path / "aurora.yaml"
    text = re.sub(r"channels:\n(  .*\n)+", channels, AURORA.read_text(encoding="utf-8"))
    file.write_text(text + TEMPLATES, encoding="utf-8")
    gendei("clinics", "import", file)
    listed = gendei("templates", "list", "--clinic", "aurora").stdout.splitlines()
    assert [line.partition(": ")[2] for line in listed] == [
        "sent as text, as no number of the clinic needs a template [-]"
    ] * 2


@pytest.mark.usefixtures("aurora")
def test_sync_tells_what_is_approved_and_list_remembers_it(gendei, monkeypatch):
    asked = []
    with graph({"data": [LEMBRETE]}, asked) as url:
        monkeypatch.setenv("GENDEI_GRAPH_URL", url)
        synced = gendei("templates", "sync", "--clinic", "aurora")
    told = (
        "moved          mudou (pt_BR): cannot be used: is MISSING [-, quality -]\n"
        "reminder       lembrete (pt_BR): ready [UTILITY, quality GREEN]\n"
    )
    assert (synced.exit_code, synced.stdout) == (1, told)
    assert gendei("templates", "list", "--clinic", "aurora").stdout == told
    assert asked == [("/v26.0/5550001/message_templates", "Bearer token-a")]


@pytest.mark.usefixtures("aurora")
def test_a_refusal_of_meta_is_told_without_the_token(gendei, monkeypatch):
    with graph({"error": {"code": 190}}, []) as url:
        monkeypatch.setenv("GENDEI_GRAPH_URL", url)
        result = gendei("templates", "sync", "--clinic", "aurora")
    assert (result.exit_code, "190 the access token is invalid" in result.stderr, "token-a" in result.output) == (
        1,
        True,
        False,
    )


@pytest.mark.usefixtures("aurora")
def test_templates_are_made_at_meta_and_stand_in_the_clinic(gendei, monkeypatch):
    asked = []
    with graph({"data": [LEMBRETE]}, asked) as url:
        monkeypatch.setenv("GENDEI_GRAPH_URL", url)
        made = gendei("templates", "setup", "--clinic", "aurora", "booked")
        wrong = gendei(
            "templates", "create", "--clinic", "aurora", "cancelled", "Oferta para {patient}, só hoje na clínica!"
        )
    [(path, wish)] = [(path, wish) for path, wish in asked if isinstance(wish, dict)]
    body = wish["components"][0]
    listed = gendei("templates", "list", "--clinic", "aurora").stdout.splitlines()
    assert (made.exit_code, made.stdout) == (0, "booked         gendei_marcado_v1: made PENDING\n")
    assert (path, wish["category"], wish["allow_category_change"]) == (
        "/v26.0/5550001/message_templates",
        "UTILITY",
        False,
    )
    assert (body["text"][:13], len(body["example"]["body_text"][0])) == ("Olá, {{1}}! S", 6)
    assert listed[0].startswith("booked         gendei_marcado_v1 (pt_BR): cannot be used: is PENDING")
    assert (wrong.exit_code, "parece divulgação" in wrong.stderr) == (1, True)


@pytest.mark.usefixtures("aurora")
def test_another_clinic_has_none_of_them(gendei):
    assert gendei("templates", "list", "--clinic", "bromelia").stdout == "The clinic file names no templates.\n"


@pytest.mark.usefixtures("aurora")
def test_a_number_without_an_account_and_a_clinic_that_there_is_not_are_errors(gendei):
    bare, nobody = (gendei("templates", "sync", "--clinic", text) for text in ("bromelia", "nowhere"))
    assert ("no waba_id" in bare.stderr, "there is no clinic nowhere" in nobody.stderr) == (True, True)
