"""The errands about what the clinic answers its patients: shown, proposed, approved and retired, and what nobody could
answer."""

import re
from collections.abc import Callable, Sequence
from hashlib import sha256

from gendei.assistant.guided.guide import Guide, Option, OrderPart, Steps, ask, do, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.knowledge.everyday_words import heading
from gendei.receptionist.guided.guided_turn import Result
from gendei.receptionist.understanding.language import words

SHOWN = 10
_COLON = re.compile(r":\s*")
_QUESTION = re.compile(r"^[\s:]*(?P<question>[^?]{2,200}\?)\s*(?P<answer>.+)$", re.DOTALL)
_NUMBER = re.compile(r"\b(\d{1,3})\b")
_AROUND = frozenset("a o as os de da do sobre para pra que pergunta resposta duvida clinica numero nova uma".split())


def on(guide: Guide) -> Steps[str]:
    """Say "o que a clínica responde sobre estacionamento"."""
    about = guide.after(Errand.ANSWERS_ON).strip(" ?.!")
    if not words(about):
        return (yield from show(guide))
    found = (yield from ask("ask_knowledge", question=about))["entries"]
    said = [f"{entry['questions'][0]} {entry['saidAnswer']}" for entry in found]
    return guide.say(Phrase.ANSWERS, list=lines(said)) if said else guide.say(Phrase.ANSWERS_NONE_SUCH, words=about)


def show(guide: Guide) -> Steps[str]:
    """ "Respostas da clínica": those that wait for approval first."""
    found = (yield from ask("list_knowledge"))["entries"]
    meant = [entry for state in _LINES for entry in found if entry["state"] == state]
    if not meant:
        return guide.say(Phrase.ANSWERS_NONE)
    told = [guide.say(_LINES[entry["state"]], title=entry["questions"][0], text=entry["answer"]) for entry in meant]
    return guide.say(Phrase.ANSWERS, list=_few(guide, told))


_LINES = {"proposed": Phrase.ANSWER_PROPOSED, "approved": Phrase.ANSWER_APPROVED}


def gaps(guide: Guide) -> Steps[str]:
    """ "Perguntas sem resposta", the most asked first."""
    found = (yield from ask("list_knowledge_gaps"))["gaps"]
    if not found:
        return guide.say(Phrase.GAPS_NONE)
    told = [guide.say(Phrase.GAP_LINE, title=gap["questions"][0], count=str(gap["count"])) for gap in found[:SHOWN]]
    return guide.say(Phrase.GAPS, list=lines((f"{place}. {line}" for place, line in enumerate(told, 1)), ""))


def answer_gap(guide: Guide) -> Steps[str]:
    """ "Responde a dúvida 1: Não furamos orelhas"."""
    which, text = [*_COLON.split(guide.after(Errand.ANSWER_GAP), maxsplit=1), ""][:2]
    text = guide.told(OrderPart.TEXT) or text.strip()
    if not text:
        return guide.ask(Phrase.WHAT_ANSWER, OrderPart.TEXT, free=True)
    found = (yield from ask("list_knowledge_gaps"))["gaps"]
    chosen = _meant(found, which)
    if len(chosen) != 1:
        return _which(guide, chosen, "answer_knowledge_gap", lambda gap: _gap(gap) | {"answer": text})
    return (yield from do("answer_knowledge_gap", **_gap(chosen[0]), answer=text))


def dismiss_gap(guide: Guide) -> Steps[str]:
    """ "Descarta a dúvida da orelha"."""
    found = (yield from ask("list_knowledge_gaps"))["gaps"]
    chosen = _meant(found, guide.after(Errand.DISMISS_GAP))
    if len(chosen) != 1:
        return _which(guide, chosen, "dismiss_knowledge_gap", _gap)
    return (yield from do("dismiss_knowledge_gap", **_gap(chosen[0])))


def propose(guide: Guide) -> Steps[str]:
    """ "Nova resposta: tem elevador? O prédio tem dois elevadores."; or anew, where it stands."""
    given = _QUESTION.match(guide.told(OrderPart.TEXT) or guide.after(Errand.PROPOSE_ANSWER))
    if given is None:
        return guide.ask(Phrase.WHAT_ANSWER_TO, OrderPart.TEXT, free=True)
    question, answer = " ".join(given["question"].split()), given["answer"].strip()
    found = (yield from ask("list_knowledge"))["entries"]
    stands = next((entry for entry in found if _same(question, entry["questions"])), None)
    if stands is not None:
        return (
            yield from do(
                "write_knowledge",
                entry_id=stands["id"],
                questions=stands["questions"],
                answer=answer,
                version=stands["version"],
            )
        )
    name = "-".join(words(heading(question))[:3]) or "resposta"
    entry_id = f"{name}-{sha256(question.casefold().encode()).hexdigest()[:6]}"
    return (yield from do("write_knowledge", entry_id=entry_id, questions=[question], answer=answer))


def approve(guide: Guide) -> Steps[str]:
    """ "Aprova a resposta do elevador"."""
    return (yield from _with_entry(guide, Errand.APPROVE_ANSWER, "approve_knowledge", ("proposed", "retired")))


def retire(guide: Guide) -> Steps[str]:
    """ "Retira a resposta do elevador"."""
    return (yield from _with_entry(guide, Errand.RETIRE_ANSWER, "retire_knowledge", ("proposed", "approved")))


def _with_entry(guide: Guide, errand: Errand, tool: str, states: Sequence[str]) -> Steps[str]:
    found = (yield from ask("list_knowledge"))["entries"]
    chosen = _meant([entry for entry in found if entry["state"] in states], guide.after(errand), numbers=False)
    if len(chosen) != 1:
        return _which(guide, chosen, tool, _version)
    return (yield from do(tool, **_version(chosen[0])))


def _which(guide: Guide, chosen: Sequence[Result], tool: str, arguments: Callable[[Result], Result]) -> str:
    """Ask which of several; that there is none."""
    if not chosen:
        return guide.say(Phrase.ANSWERS_NONE_SUCH, words=guide.text)
    return guide.which([Option(each["questions"][0], tool, arguments(each)) for each in chosen])


def _meant(found: Sequence[Result], which: str, *, numbers: bool = True) -> list[Result]:
    """Those that are named by their place in the list, or by words of their questions; all where none is named."""
    number = _NUMBER.search(which) if numbers else None
    if number is not None:
        return list(found[int(number[1]) - 1 : int(number[1])])
    wanted = [word for word in words(which) if word not in _AROUND]
    return [each for each in found if named(wanted, " ".join((each["id"], *each["questions"])))]


def _same(question: str, questions: Sequence[str]) -> bool:
    return any(words(question) == words(each) for each in questions)


def _gap(gap: Result) -> Result:
    return {"gap_id": gap["id"]}


def _version(entry: Result) -> Result:
    return {"entry_id": entry["id"], "version": entry["version"]}


def _few(guide: Guide, told: Sequence[str]) -> str:
    more = "\n" + guide.say(Phrase.MORE, count=str(len(told) - SHOWN)) if len(told) > SHOWN else ""
    return lines(told[:SHOWN]) + more
