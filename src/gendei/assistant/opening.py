"""The staff's assistant of a running service."""

from pathlib import Path

from gendei.assistant.assistant import Assistant
from gendei.assistant.runner import AssistantRunner
from gendei.assistant.texts import load_assistant_files
from gendei.commands.command import Desks
from gendei.receptionist.answering import TeamReceptionist


def open_assistant(folder: Path, desks: Desks, receptionist: TeamReceptionist, tool_seconds: float) -> Assistant:
    """On the models of the receptionist, their breaker and the clinic's budget. folder: the prompts'. tool_seconds: how
    long one tool may take. Raises ConfigurationError."""
    texts, prompt = load_assistant_files(folder)
    return Assistant(
        AssistantRunner(
            desks, texts, prompt, receptionist.prices, receptionist.models, receptionist.ledger, tool_seconds
        )
    )
