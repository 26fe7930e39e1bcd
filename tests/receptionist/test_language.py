import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.receptionist.understanding.language import Vocabulary, contains, plain, same_word, words

HEARD = Vocabulary.of({"cancel": ["cancel*", "nao vou poder ir"], "yes": ["sim", "pode ser", "👍"], "book": ["marcar"]})


def test_accents_case_and_drawn_out_letters_do_not_matter():
    assert plain("SIIIIM, amanhã às 3") == "sim, amanha as 3"


def test_words_leave_punctuation_out_and_keep_emoji():
    assert words("Oi! tudo bem? 👍") == ["oi", "tudo", "bem", "👍"]


def test_a_long_word_is_recognised_with_one_typing_error():
    assert same_word("limpesa", "limpeza")
    assert same_word("maracr", "marcar")


def test_short_words_and_other_words_are_not():
    assert not same_word("oi", "ai")
    assert not same_word("mascar", "marcou")
    assert not same_word("remarcar", "marcar")


@pytest.mark.parametrize(
    ("said", "meant"),
    [("dentinhos", "dente"), ("branquinho", "brancos"), ("limpezinha", "limpeza"), ("horarinho", "horario")],
)
def test_a_diminutive_is_its_word(said: str, meant: str):
    assert same_word(said, meant)


@pytest.mark.parametrize(
    ("said", "meant"), [("minha", "mina"), ("tinha", "ta"), ("assim", "as"), ("vizinha", "visita")]
)
def test_what_only_ends_like_a_diminutive_is_none(said: str, meant: str):
    assert not same_word(said, meant)


def test_a_star_matches_what_begins_so():
    assert same_word("cancelamento", "cancel*")
    assert same_word("cacnelamento", "cancel*")
    assert not same_word("canela", "cancel*")
    assert not same_word("mduar", "muda*")


def test_an_expression_is_found_only_in_order_and_together():
    assert contains(words("acho que nao vou poder ir hoje"), words("nao vou poder ir"))
    assert not contains(words("vou poder ir, nao?"), words("nao vou poder ir"))


def test_a_gap_stands_for_up_to_four_words():
    alarm = Vocabulary.of({"urgent": ["dor ... peito"]})
    assert alarm.heard_in(words("uma dor no peito"))
    assert alarm.heard_in(words("dor aqui bem no peito"))
    assert not alarm.heard_in(words("dor que vem e vai aqui no peito"))
    assert alarm.heard_in(words("peito com dor"))  # danger is told in any order
    assert not Vocabulary.of({"pain": ["dor ... peito"]}).heard_in(words("peito com dor"))


def test_a_bar_stands_for_either_word():
    alarm = Vocabulary.of({"urgent": ["nao|n ... respir*"]})
    assert alarm.heard_in(words("n consigo respirar"))
    assert alarm.heard_in(words("ele não tá respirando"))
    assert not alarm.heard_in(words("nem respirar consigo"))


def test_what_only_sounds_alarming_is_taken_away_first():
    ear = Vocabulary.of({"crisis": ["quero ... morrer"], "harmless": ["morrer de rir"]})
    assert ear.heard_in(words("quero morrer de rir")) == {"harmless"}
    assert ear.heard_in(words("quero morrer, e não é morrer de rir")) == {"crisis", "harmless"}


def test_a_short_word_is_no_misspelt_longer_one():
    assert not same_word("lado", "laudo")


def test_every_intent_of_a_message_is_heard():
    assert HEARD.heard_in(words("quero cancelar e marcar outra")) == {"cancel", "book"}


def test_a_plain_yes_is_nothing_but_yes():
    assert HEARD.is_only("yes", words("Sim, pode ser 👍"))
    assert not HEARD.is_only("yes", words("sim, mas quinta"))
    assert not HEARD.is_only("yes", [])


@given(st.text(max_size=300))
def test_any_text_can_be_listened_to(text: str):
    said = words(text)
    HEARD.heard_in(said)
    HEARD.is_only("yes", said)
