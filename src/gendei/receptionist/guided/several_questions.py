"""Several questions in one message: each that has an answer is answered, in their order, MOST at once."""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from gendei.receptionist.capabilities import knowing
from gendei.receptionist.guided import information
from gendei.receptionist.guided.guided_turn import Action, GuidedTurn, Result
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.names_told import is_small_talk
from gendei.receptionist.understanding.patient_message import WORDS_OF_A_MESSAGE, Understanding, understand
from gendei.receptionist.understanding.word_lists import LISTS

MOST = 3
_NO_QUESTIONS = ("book", "another", "move", "cancel", "appointments", "greeting", "thanks")
_CHANGES = ("move", "cancel", "changes", "book", "appointments", "correction")
_SENTENCE = re.compile(r"[^?!;\n]+\??")
_CLAUSE = re.compile(r",| e (?=\w)")


def answer(turn: GuidedTurn, heard: Understanding, typed: str) -> Generator[Action, Result, str]:
    """The answers to several questions, as one text, and that the team knows the rest; "" where one thing is asked, and
    where none of them has an answer."""
    questions = list(_questions(turn, typed))
    told: list[str] = []
    open_ = ""
    for question in questions if len(questions) > 1 else ():
        if len(told) == MOST:
            break
        asked = _understood(turn, question)
        text = _without_lines(told, (yield from _answered(turn, heard, asked, question)))
        told += [text] if text else []
        if not text and "?" in question and not (asked.wants(*_NO_QUESTIONS) or asked.says_when or asked.wonders):
            open_ = open_ or question
    if not told or len(told) + bool(open_) < 2:
        return ""
    if open_:
        turn.runtime.unanswered = turn.runtime.unanswered or open_
    return "\n\n".join([*told, *([turn.phrase("rest_unknown")] if open_ else [])])


def beside(turn: GuidedTurn, heard: Understanding, typed: str) -> Generator[Action, Result, str]:
    """The answers to what is asked of the clinic beside a wish to change or to cancel."""
    told: list[str] = []
    for clause in (clause for sentence in _SENTENCE.findall(typed) for clause in _CLAUSE.split(sentence)):
        asked = _understood(turn, clause)
        asks = "?" in clause or not LISTS["asking"].isdisjoint(asked.said)
        if asks and asked.wants(*TOPICS) and not asked.wants(*_CHANGES) and len(told) < MOST:
            text = _without_lines(told, (yield from _answered(turn, heard, asked, clause)))
            told += [text] if text else []
    return "\n\n".join(told)


def _without_lines(told: Sequence[str], text: str) -> str:
    """`text` without the lines that were told already."""
    known = {line for answer in told for line in answer.splitlines()}
    return "\n".join(line for line in text.splitlines() if line not in known).strip()


def _questions(turn: GuidedTurn, typed: str) -> Iterator[str]:
    """The parts of a message that ask something of the clinic: by their sign, or by what they ask for. A clause that
    asks for nothing else belongs to the one before it ("quanto custa limpeza, canal e clareamento?")."""
    for sentence in _SENTENCE.findall(typed):
        part, start = "", 0
        cuts = [found.span() for found in _CLAUSE.finditer(sentence)]
        for end, following in (*cuts, (len(sentence), len(sentence))):
            clause = sentence[start:end]
            if (before := _topics(turn, part)) and _topics(turn, clause) - before:
                yield part.strip(" ,").removeprefix("e ")
                part = ""
            part, start = f"{part}{sentence[start - 1 : start] if part else ''}{clause}", following
        if ("?" in part and not is_small_talk(part, turn.vocabulary)) or _topics(turn, part):
            yield part.strip(" ,").removeprefix("e ")


def _topics(turn: GuidedTurn, part: str) -> frozenset[str]:
    return turn.vocabulary.heard_in(words(part)) & TOPICS


def _understood(turn: GuidedTurn, question: str) -> Understanding:
    runtime = turn.runtime
    return understand(
        question, clinic=runtime.clinic, vocabulary=turn.vocabulary, vertical=runtime.vertical, now=runtime.now
    )


def _answered(
    turn: GuidedTurn, heard: Understanding, asked: Understanding, question: str
) -> Generator[Action, Result, str]:
    """The answer to one of them, of the service that the whole message names; "" for a wish to book, and where nothing
    answers."""
    if asked.wants("book"):
        asked = replace(asked, intents=asked.intents - AROUND_BOOKING)
    asked = replace(
        asked,
        services=asked.services or heard.services,
        mentioned=asked.mentioned or heard.mentioned,
        professional=asked.professional or heard.professional,
    )
    topics = asked.intents & TOPICS
    if topics <= information.SOFT and not asked.wants(*_NO_QUESTIONS):
        short = not topics and len(words(question)) < WORDS_OF_A_MESSAGE  # "dói?"
        named = f"{asked.service.name}: " if asked.service and short else ""
        if known := (yield from knowing.answer_to(turn, f"{named}{question}")):
            return known
    return (yield from information.answer(turn, asked)) if topics and not information.lacks(turn, asked) else ""
