"""Our messages in Meta's form, within Meta's limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.messages.limits import fit, units
from gendei.messages.message import MessageType, OutgoingMedia, OutgoingMessage, OutgoingTemplate
from gendei.messages.replies import Link, Option, Pin, Reply
from gendei.providers.meta_payload import Unsendable, compose
from gendei.providers.stand_in.rules import check_request

CHARACTERS = st.characters(min_codepoint=0) | st.sampled_from("aé ção…👋🏽\n\u200d\ud83d")
TEXTS = st.text(CHARACTERS, max_size=120) | st.builds(
    lambda text, n: text * n, st.text(CHARACTERS), st.integers(1, 900)
)
OPTIONS = st.builds(Option, id=st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=30), title=TEXTS)
FULL_OPTIONS = st.builds(Option, id=st.uuids().map(str), title=TEXTS, description=TEXTS, section=TEXTS)
REPLIES = st.builds(
    Reply,
    text=TEXTS.filter(str.strip),
    options=st.lists(OPTIONS | FULL_OPTIONS, max_size=10, unique_by=lambda option: option.id).map(tuple),
    list_label=TEXTS,
)


def outgoing(reply: Reply, **more: object) -> OutgoingMessage:
    fields = {"to_phone": "+5511987654321", "to_user_id": None, "reply": reply, "reference": "out-1", **more}
    return OutgoingMessage(**fields)  # type: ignore[arg-type]  # tests name the fields they change


def options(count: int, section: str = "") -> tuple[Option, ...]:
    return tuple(Option(f"slot|{number}", f"Opção {number}", section=section) for number in range(count))


def interactive(reply: Reply):
    return compose(outgoing(reply))["interactive"]


def test_a_reply_without_options_is_a_text():
    assert compose(outgoing(Reply("Olá!"))) == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "+5511987654321",
        "type": "text",
        "text": {"body": "Olá!", "preview_url": False},
        "biz_opaque_callback_data": "out-1",
    }


@pytest.mark.parametrize("phone", ["5511987654321", "+55 (11) 98765-4321"])
def test_a_phone_always_goes_with_a_plus(phone):
    assert compose(outgoing(Reply("Olá!"), to_phone=phone))["to"] == "+5511987654321"


def test_a_user_id_goes_as_recipient_and_never_in_to():
    payload = compose(outgoing(Reply("Olá!"), to_phone=None, to_user_id="BR.1349"))
    assert ("to" in payload, payload["recipient"]) == (False, "BR.1349")


def test_a_phone_wins_over_a_user_id():
    payload = compose(outgoing(Reply("Olá!"), to_user_id="BR.1349"))
    assert ("recipient" in payload, payload["to"]) == (False, "+5511987654321")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_up_to_three_options_are_buttons(count):
    made = interactive(Reply("Qual?", options(count)))
    assert (made["type"], len(made["action"]["buttons"])) == ("button", count)


def test_a_button_has_the_id_and_title_of_its_option():
    made = interactive(Reply("Qual?", options(1)))
    assert made["action"]["buttons"] == [{"type": "reply", "reply": {"id": "slot|0", "title": "Opção 0"}}]


@pytest.mark.parametrize("count", [4, 10])
def test_four_to_ten_options_are_a_list(count):
    made = interactive(Reply("Qual?", options(count), list_label="Ver horários"))
    assert (made["type"], made["action"]["button"], len(made["action"]["sections"][0]["rows"])) == (
        "list",
        "Ver horários",
        count,
    )


def test_a_single_section_without_a_name_has_no_title():
    assert list(interactive(Reply("Qual?", options(4)))["action"]["sections"][0]) == ["rows"]


def test_rows_are_grouped_by_section_in_first_seen_order():
    rows = (Option("1", "8h", section="Manhã"), Option("2", "14h", section="Tarde"), Option("3", "9h", section="Manhã"))
    made = interactive(Reply("Qual?", (*rows, Option("4", "20h"))))
    summary = [(section["title"], [row["id"] for row in section["rows"]]) for section in made["action"]["sections"]]
    assert summary == [("Manhã", ["1", "3"]), ("Tarde", ["2"]), ("Ver opções", ["4"])]


def test_buttons_with_too_long_a_body_become_a_list():
    made = interactive(Reply("a" * 1025, options(2)))
    assert (made["type"], made["body"]["text"]) == ("list", "a" * 1025)


def test_a_body_too_long_for_anything_is_cut_after_a_word():
    made = interactive(Reply("palavra " * 600, options(2)))
    assert made["body"]["text"] == ("palavra " * 511) + "palavra…"


def test_a_title_is_cut_after_a_word():
    made = interactive(Reply("Qual?", (Option("1", "Consulta de retorno com exames"),)))
    assert made["action"]["buttons"][0]["reply"]["title"] == "Consulta de retorno…"


def test_titles_stay_different_after_the_cut():
    made = interactive(Reply("Qual?", (Option("1", "Avaliação ortodôntica"), Option("2", "Avaliação ortognática"))))
    titles = [button["reply"]["title"] for button in made["action"]["buttons"]]
    assert titles == ["Avaliação ortodônti…", "Avaliação ortognáti…"]


def test_equal_titles_are_told_apart():
    made = interactive(Reply("Qual?", tuple(Option(str(number), "Dra. Ana") for number in range(3))))
    titles = [button["reply"]["title"] for button in made["action"]["buttons"]]
    assert titles == ["Dra. Ana", "Dra. Ana 2", "Dra. Ana 3"]


def test_a_title_that_was_cut_is_whole_in_the_description():
    long = Option("1", "Avaliação ortodôntica completa")
    row = interactive(Reply("Qual?", (long, *options(3))))["action"]["sections"][0]["rows"][0]
    assert row == {"id": "1", "title": "Avaliação ortodôntica…", "description": "Avaliação ortodôntica completa"}


@pytest.mark.parametrize(
    "broken",
    [
        {"to_phone": None},
        {"to_phone": "", "to_user_id": ""},
        {"reference": "r" * 513},
        {"reply": Reply("Qual?", (Option("i" * 257, "Sim"),))},
        {"reply": Reply("Qual?", (Option("i" * 201, "Sim"), *options(4)))},
        {"reply": Reply("a" * 1025, (Option("i" * 201, "Sim"),))},
        {"reply": Reply("Qual?", (Option(" ", "Sim"),))},
        {"media": OutgoingMedia(MessageType.IMAGE, "http://m.test/1", "image/png")},
        {"media": OutgoingMedia(MessageType.STICKER, "https://m.test/1", "image/webp")},
        {"template": OutgoingTemplate("Lembrete", "pt_BR")},
        {"template": OutgoingTemplate("lembrete", "")},
        {"template": OutgoingTemplate("lembrete", "pt_BR", ("Maria", " \n"))},
        {"template": OutgoingTemplate("lembrete", "pt_BR", (), ("ok", ""))},
        {"template": OutgoingTemplate("lembrete", "pt_BR", (), ("ok",) * 11)},
    ],
)
def test_what_cannot_be_sent_is_refused_before_it_leaves(broken):
    with pytest.raises(Unsendable):
        compose(outgoing(**{"reply": Reply("Olá!"), **broken}))


def test_a_pin_is_a_location_and_goes_without_its_text():
    place = {"latitude": -23.5614, "longitude": -46.6559, "name": "Aurora", "address": "Rua do Sol, 12"}
    payload = compose(outgoing(Reply("📍 Rua do Sol, 12", pin=Pin(**place))))
    assert (check_request(payload)["type"], payload["location"], "text" in payload) == ("location", place, False)


def test_a_link_is_a_button_below_the_text():
    reply = Reply("Onde fica:", link=Link("Abrir o mapa da clínica", "https://clinica.test/mapa"))
    assert interactive(reply) == {
        "type": "cta_url",
        "body": {"text": "Onde fica:"},
        "action": {
            "name": "cta_url",
            "parameters": {"display_text": "Abrir o mapa da…", "url": "https://clinica.test/mapa"},
        },
    }


def test_a_link_below_a_text_too_long_for_a_button_stands_in_the_text():
    payload = compose(outgoing(Reply("a" * 1025, link=Link("Mapa", "https://clinica.test/mapa"))))
    assert payload["text"]["body"] == "a" * 1025 + "\n\nMapa: https://clinica.test/mapa"


def test_a_file_has_the_reply_as_its_caption():
    media = OutgoingMedia(MessageType.DOCUMENT, "https://m.test/1", "application/pdf", "preparo.pdf")
    payload = compose(outgoing(Reply("Seu preparo"), media=media))
    assert (payload["type"], payload["document"]) == (
        "document",
        {"link": "https://m.test/1", "caption": "Seu preparo", "filename": "preparo.pdf"},
    )


def test_a_voice_note_has_no_caption():
    media = OutgoingMedia(MessageType.AUDIO, "https://m.test/1", "audio/ogg", voice=True)
    assert compose(outgoing(Reply("Olá!"), media=media))["audio"] == {"link": "https://m.test/1", "voice": True}


def quick_reply(index: str, payload: str):
    parameters = [{"type": "payload", "payload": payload}]
    return {"type": "button", "sub_type": "quick_reply", "index": index, "parameters": parameters}


def test_a_template_has_its_values_and_the_payloads_of_its_buttons():
    template = OutgoingTemplate("lembrete", "pt_BR", ("Maria", "às\t14h\n\namanhã      cedo"), ("a|1", "b|1"))
    values = [{"type": "text", "text": "Maria"}, {"type": "text", "text": "às 14h amanhã cedo"}]
    assert compose(outgoing(Reply("Lembrete"), template=template))["template"] == {
        "name": "lembrete",
        "language": {"code": "pt_BR"},
        "components": [{"type": "body", "parameters": values}, quick_reply("0", "a|1"), quick_reply("1", "b|1")],
    }


def test_a_template_without_values_has_no_components():
    made = compose(outgoing(Reply("Olá"), template=OutgoingTemplate("ola", "pt_BR")))
    assert made["template"] == {"name": "ola", "language": {"code": "pt_BR"}}


@given(st.lists(TEXTS.filter(lambda text: text.strip() != ""), max_size=3), REPLIES)
def test_any_template_is_within_all_limits_of_meta(values, reply):
    template = OutgoingTemplate("lembrete", "pt_BR", tuple(values), ("do|keep",))
    assert check_request(compose(outgoing(reply, template=template)))["type"] == "template"


@given(REPLIES, st.sampled_from(["image", "video", "document", "audio"]))
def test_any_file_is_within_all_limits_of_meta(reply, kind):
    media = OutgoingMedia(MessageType(kind), "https://m.test/1", "image/png", "foto.png")
    assert check_request(compose(outgoing(reply, media=media)))["type"] == kind


@given(TEXTS.filter(str.strip), TEXTS.filter(str.strip))
def test_any_link_is_within_all_limits_of_meta(text, label):
    payload = compose(outgoing(Reply(text, link=Link(label, "https://clinica.test/mapa"))))
    assert "https://clinica.test/mapa" in str(check_request(payload))


@given(REPLIES)
def test_any_reply_as_text_is_within_all_limits_of_meta(reply):
    assert check_request(compose(outgoing(reply), as_text=True))["type"] == "text"


@given(REPLIES)
def test_any_reply_is_within_all_limits_of_meta(reply):
    assert check_request(compose(outgoing(reply)))["biz_opaque_callback_data"] == "out-1"


@given(REPLIES)
def test_no_id_is_changed_or_lost(reply):
    action = compose(outgoing(reply)).get("interactive", {}).get("action", {})
    taps = [button["reply"] for button in action.get("buttons", [])]
    taps += [row for section in action.get("sections", []) for row in section["rows"]]
    assert {tap["id"] for tap in taps} == {option.id for option in reply.options}


@given(TEXTS, st.integers(1, 60))
def test_a_fitted_text_is_valid_and_never_too_long(text, limit):
    fitted = fit(text, limit)
    assert units(fitted) <= limit
    fitted.encode()


def test_what_fits_is_left_alone():
    assert fit("👋" * 10, 20) == "👋" * 10


def test_a_single_long_word_is_cut_inside():
    assert fit("a" * 30, 20) == "a" * 19 + "…"


def test_a_character_of_two_units_is_never_halved():
    assert fit("👋" * 11, 20) == "👋" * 9 + "…"
