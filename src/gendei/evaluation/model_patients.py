"""A patient who is played by a model: the same errands, in words that nobody wrote beforehand."""

from collections.abc import Sequence

from agents import Agent, Runner
from agents.items import TResponseInputItem

from gendei.clinic import Clinic
from gendei.evaluation.patients import PATIENCE, Say, Tap
from gendei.evaluation.tasks import NOW, Case, Goal
from gendei.providers.stand_in.graph import Sent
from gendei.receptionist.llm.models import ApiModels

THE_END = "FIM"
_MANNERS = {
    "terse": "Escreve o mínimo, sem pontuação.",
    "chatty": "É simpática e fala bastante.",
    "typos": "Escreve rápido, com erros de digitação e sem acentos.",
    "elderly": "É idosa, educada, e manda frases curtas.",
    "hurried": "Está com muita pressa.",
    "changeable": "Muda de ideia no meio da conversa.",
    "caregiver": "Cuida da família e escreve com calma.",
}
_ERRANDS = {
    Goal.BOOK: "Você quer marcar {say}, {when}.",
    Goal.MOVE: "Você tem um horário marcado e quer mudar para {when}.",
    Goal.CANCEL: "Você quer cancelar o seu horário marcado.",
    Goal.KEEP: "Você pede para cancelar o seu horário e, quando pedirem confirmação, desiste de cancelar.",
}


class ModelPatient:
    """Plays the case on `models`."""

    def __init__(self, case: Case, clinic: Clinic, models: ApiModels) -> None:
        self._models = models
        self._agent: Agent[None] = Agent(name="paciente", instructions=_instructions(case, clinic))
        self._lines: list[TResponseInputItem] = []
        self._turns = 0

    async def begin(self) -> Say:
        return Say([await self._says("(A conversa começa agora. Escreva a sua primeira mensagem.)")])

    async def reply(self, new: Sequence[Sent]) -> Say | Tap | None:
        self._turns += 1
        if not new or self._turns > PATIENCE:
            return None
        said = await self._says("\n\n".join(_shown(sent) for sent in new))
        if THE_END in said:
            return None
        last = new[-1]
        if said.isdecimal() and 1 <= int(said) <= len(last.options):
            return Tap(last, int(said) - 1)
        return Say([said])

    async def _says(self, seen: str) -> str:
        self._lines.append({"role": "user", "content": seen})
        result = await Runner.run(self._agent, self._lines, run_config=self._models.run_config)
        said = str(result.final_output or "").strip() or "oi"
        self._lines.append({"role": "assistant", "content": said})
        return said


def _instructions(case: Case, clinic: Clinic) -> str:
    task = case.task
    errand = _ERRANDS.get(task.goal, f"Você escreve: {task.opening}").format(say=task.say, when=task.when)
    lines = [
        f"Você é paciente de {clinic.name} e escreve no WhatsApp da clínica. Hoje é {NOW:%d/%m/%Y}, segunda-feira.",
        errand,
        f"O horário é para {task.for_}, {task.name}." if task.for_ else f"Seu nome é {task.name}.",
        f"Quando pedirem confirmação, diga: {task.instead}" if task.instead else "",
        f"No meio da conversa, pergunte: {task.asks}" if task.asks else "",
        _MANNERS.get(task.persona, ""),
        "Só aceite o que serve para você. Responda com uma mensagem curta por vez, em português.",
        "Se houver opções numeradas e uma servir, responda só com o número dela."
        if case.persona.taps
        else "Não use números de opções: escreva com as suas palavras.",
        f"Quando tiver conseguido o que queria, ou desistido, responda só {THE_END}.",
    ]
    return "\n".join(line for line in lines if line)


def _shown(sent: Sent) -> str:
    return "\n".join([sent.text, *(f"[{number}] {title}" for number, (_, title) in enumerate(sent.options, 1))])
