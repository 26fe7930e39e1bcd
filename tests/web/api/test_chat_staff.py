"""The staff's assistant over the chat API: by a token, with its rights."""

from typing import Any

from tests.web.api.conftest import Api, moment

SSE = {"Accept": "text/event-stream"}


async def say(api: Api, words: str, headers: dict[str, str] | None = None, **asked: Any) -> dict[str, Any]:
    answer = await api.client.post("/chat", json={"message": words, **asked}, headers=headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def times(api: Api) -> list[str]:
    found = await api.client.get("/appointments?from=2026-11-24&to=2026-11-27")
    return [item["start"][8:16] for item in found.json()["items"]]


async def test_a_change_is_asked_with_two_options_and_done_when_the_first_is_chosen(api: Api) -> None:
    await api.book("14:00")
    asked = await say(api, "remarca a Maria para quarta às 9h")
    [message] = asked["messages"]
    yes, no = message["options"]
    assert (yes["title"], no["title"], asked["tools"][-1]["tool"]) == ("Confirmar", "Não", "move_appointment")
    assert await times(api) == ["24T14:00"]
    same = {"choice": yes["id"], "conversationId": asked["conversationId"]}
    told = [await say(api, yes["title"], headers=key, **same) for key in ({}, {"Idempotency-Key": "k1"})]
    assert told[0]["message"].startswith("Pronto: remarquei Maria Silva")
    assert [item["message"] for item in told] == [told[0]["message"]] * 2
    assert await times(api) == ["25T09:00"]


async def test_a_tool_is_pending_until_the_yes_and_then_tells_what_was_done(api: Api) -> None:
    booked = await api.book("14:00")
    asked = await say(api, "remarca a Maria para quarta às 9h")
    [read, shown] = asked["tools"]
    assert (read["status"], read["error"], len(read["result"]["appointments"])) == ("completed", None, 1)
    assert (shown["status"], shown["result"], shown["error"]) == ("pending", None, None)
    assert shown["arguments"]["appointment_id"] == booked["id"]
    [yes, _] = asked["messages"][0]["options"]
    same = {"choice": yes["id"], "conversationId": asked["conversationId"]}
    [done], again = [(await say(api, yes["title"], **same))["tools"] for _ in range(2)]
    assert (done["status"], done["arguments"], done["error"]) == ("completed", shown["arguments"], None)
    assert (done["result"]["appointment"]["start"][8:16], again) == ("25T09:00", [done])


async def test_a_tool_that_failed_tells_why_and_what_changed_meanwhile_is_pending_anew(api: Api) -> None:
    booked = await api.book("14:00")
    asked = await say(api, "remarca a Maria para quarta às 9h")
    await api.client.post(f"/appointments/{booked['id']}/move", json={"start": moment("15:00")})
    told = await say(api, "sim", conversationId=asked["conversationId"])
    assert [(tool["status"], tool["error"]) for tool in told["tools"]] == [("failed", "changed"), ("pending", None)]
    await api.book("09:00", start=moment("09:00", 25), patientName="Ana", phone="(11) 99999-0002")
    told = await say(api, "sim", conversationId=asked["conversationId"])
    [refused] = told["tools"]
    assert (refused["status"], refused["error"], refused["result"]) == ("failed", "taken", None)
    [foreign] = (await say(api, "agenda de terça", headers=api.outsider))["tools"]
    assert foreign["result"]["appointments"] == []


async def test_a_change_that_changes_nothing_is_not_even_asked(api: Api) -> None:
    await api.client.post("/tasks", json={"title": "Ligar para João", "due": "quarta"})
    told = await say(api, "adia a tarefa ligar para João para quarta")
    assert (told["tools"][-1]["error"], told["messages"][0]["options"]) == ("nothing_changed", [])
    assert told["message"].startswith("A tarefa “Ligar para João” já está assim.")


async def test_a_yes_in_words_is_one_too_and_all_is_kept(api: Api) -> None:
    asked = await say(api, "cria tarefa ligar para João quarta")
    done = await say(api, "sim", conversationId=asked["conversationId"])
    chats = (await api.client.get("/chat/conversations")).json()["items"]
    path = f"/chat/conversations/{asked['conversationId']}/messages"
    first = (await api.client.get(f"{path}?limit=3")).json()
    rest = (await api.client.get(path, params={"limit": 3, "cursor": first["next"]})).json()
    newest = (await api.client.get("/chat/messages?limit=2")).json()["items"]
    assert [(chat["id"], chat["messageCount"]) for chat in chats] == [(asked["conversationId"], 4)]
    kept = [*first["items"], *rest["items"]]
    assert [message["role"] for message in kept] == ["user", "assistant"] * 2
    assert (kept[-1]["text"], newest) == (done["message"], kept[-2:])


async def test_it_streams_that_it_was_taken_the_message_and_then_the_whole(api: Api) -> None:
    answer = await api.client.post("/chat", json={"message": "minhas tarefas"}, headers=SSE)
    events = [line.removeprefix("event: ") for line in answer.text.splitlines() if line.startswith("event: ")]
    assert (events, "Nenhuma tarefa pendente." in answer.text) == (["accepted", "message", "done"], True)


async def test_a_narrow_token_reads_and_changes_nothing_and_another_clinics_finds_nothing(api: Api) -> None:
    await api.book("14:00")
    refused = await say(api, "cancela a da Maria", headers=api.reader)
    nothing = await say(api, "cancela a da Maria", headers=api.outsider)
    foreign = await api.client.post(
        "/chat", json={"message": "oi", "conversationId": refused["conversationId"]}, headers=api.outsider
    )
    assert refused["message"] == "Seu acesso não permite isso. Fale com quem administra a clínica."
    assert nothing["message"] == "Não achei consulta que combine com isso."
    assert (foreign.status_code, await times(api)) == (404, ["24T14:00"])


async def test_what_the_assistant_does_not_take_is_refused_with_the_field(api: Api) -> None:
    bad: list[dict[str, Any]] = [
        {"message": "  "},
        {"message": "x" * 2001},
        {"message": "oi", "history": [{"role": "assistant", "text": "olá"}, {"role": "user", "text": "oi"}]},
        {"message": "oi", "history": [{"role": "user", "text": "oi"}] * 21},
        {"message": "sim", "choice": "yes|0"},
        {"message": "oi", "userId": "bia"},
    ]
    answers = [await api.client.post("/chat", json=value, headers=how) for value in bad for how in ({}, SSE)]
    where = [answer.json()["errors"][0]["where"].removeprefix("body.") for answer in answers]
    assert [answer.status_code for answer in answers] == [422] * 12
    assert where[::2] == where[1::2] == ["message", "message", "history", "history", "choice", "userId"]


async def test_a_time_that_is_not_free_is_not_proposed_and_a_free_one_is_chosen_by_its_title(api: Api) -> None:
    await api.book("14:00")
    refused = await say(api, "remarca a Maria para sexta às 9h")
    option = refused["messages"][0]["options"][0]
    assert refused["message"].startswith("A clínica está fechada nesse dia.")
    assert await times(api) == ["24T14:00"]
    same = {"conversationId": refused["conversationId"]}
    shown = await say(api, option["title"], choice=option["id"], **same)
    yes = shown["messages"][0]["options"][0]
    assert (await say(api, yes["title"], choice=yes["id"], **same))["message"].startswith("Pronto: remarquei Maria")
    assert (await times(api))[0].startswith("26T")
    nothing = await say(api, option["title"], headers=api.outsider)
    assert nothing["messages"][0]["options"] == []
