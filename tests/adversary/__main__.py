"""`python -m tests.adversary`: let the worst model have its way for so many calls, and print what came of it.

It can be stopped (Ctrl+C) and goes on from its state file: the next seed, calls, turns, violations, legitimate tasks,
and the seeds of episodes that reached states of the rules which none before them had reached. New episodes begin like
one of those, so that coverage guides what is tried. `--replay SEEDS` plays one episode again, made smaller.
"""

import argparse
import asyncio
import json
import logging
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from tests.adversary.moves import Turn, turn
from tests.adversary.world import Tally, World, legitimate, open_world

from gendei.clinic import Contact
from gendei.clinic_services import ModelStyle

MOST_TURNS = 8
KEPT = 400
"""Seeds of episodes that reached something new; the oldest leave."""
EPISODES_OF_A_STORE = 10
SAVED_EVERY = 20.0


def episode(seeds: list[int]) -> list[Turn]:
    """One turn of each seed."""
    return [turn(Random(seed)) for seed in seeds]


def next_seeds(rng: Random, corpus: list[list[int]]) -> list[int]:
    """A new episode; of two, one begins like an episode that reached something new."""
    fresh = [rng.getrandbits(48) for _ in range(rng.randint(1, MOST_TURNS))]
    if not corpus or rng.random() < 0.5:
        return fresh
    begun = rng.choice(corpus)
    return [*begun[: rng.randint(1, len(begun))], *fresh][:MOST_TURNS]


def smaller(seeds: list[int], style: ModelStyle) -> list[int]:
    """The fewest of the turns that still violate something, dropped one by one."""
    place = 0
    while place < len(seeds):
        fewer = seeds[:place] + seeds[place + 1 :]
        if fewer and asyncio.run(_violations(fewer, style)):
            seeds = fewer
        else:
            place += 1
    return seeds


async def _violations(seeds: list[int], style: ModelStyle) -> list[str]:
    async with open_world(style=style) as world:
        return await world.play(episode(seeds))


def _read(path: Path, seed: int, style: ModelStyle = ModelStyle.FREE) -> dict[str, Any]:
    empty: dict[str, Any] = {"seed": seed, "next": 0, "calls": 0, "turns": 0, "seconds": 0.0, "violations": []}
    empty |= {"legitimate": [0, 0], "states": {}, "corpus": [], "failures": {}, "style": style, "free_facts": 0}
    return empty | (json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})


async def _store(state: dict[str, Any]) -> None:
    """Some episodes on one store, with a legitimate patient after each."""
    before = set(state["states"])
    tally = Tally()
    async with open_world(tally, ModelStyle(state["style"])) as world:
        for number in range(EPISODES_OF_A_STORE):
            rng = Random(f"{state['seed']}/{state['next']}")
            state["next"] += 1
            seeds = next_seeds(rng, state["corpus"])
            await _one(world, state, seeds, number, before)
    state["calls"] += world.model.calls
    state["turns"] += tally.turns
    state["free_facts"] += tally.free_facts
    state["failures"] = dict(Counter(state["failures"]) + tally.failures)
    state["states"] = dict(Counter(state["states"]) + tally.states)


async def _one(world: World, state: dict[str, Any], seeds: list[int], number: int, before: set[str]) -> None:
    found = await world.play(episode(seeds), Contact(f"+55119{90000000 + number}"))
    if found:
        state["violations"].append({"seeds": seeds, "found": found})
        print("VIOLATION", seeds, *found, sep="\n  ")
    if set(world.tally.states) - before:
        before |= set(world.tally.states)
        state["corpus"] = [*state["corpus"], seeds][-KEPT:]
    done = await legitimate(world, Contact(f"+55118{80000000 + number}"))
    state["legitimate"][0] += done
    state["legitimate"][1] += 1


def report(state: dict[str, Any]) -> str:
    done, tried = state["legitimate"]
    rate = state["calls"] / state["seconds"] if state["seconds"] else 0
    return (
        f"seed {state['seed']}: {state['calls']:,} calls in {state['turns']:,} turns of {state['next']:,} episodes, "
        f"{len(state['violations'])} violations; {rate:.0f} calls/s; {len(state['states'])} states of rules and tools; "
        f"legitimate tasks {done} of {tried}"
        + (f"; {state['free_facts']} free sentences about facts" if state["style"] == ModelStyle.STRICT else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.adversary", description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000, help="answers and tool calls of the model, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", type=ModelStyle, choices=list(ModelStyle), default=ModelStyle.FREE)
    parser.add_argument("--state", type=Path, default=Path("adversary.json"), help="where to go on from")
    parser.add_argument("--replay", type=int, nargs="+", help="the seeds of one episode's turns, made smaller")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if given.replay:
        seeds = smaller(given.replay, given.style)
        print(seeds, *episode(seeds), *asyncio.run(_violations(seeds, given.style)), sep="\n")
        return
    state = _read(given.state, given.seed, given.style)
    with suppress(KeyboardInterrupt):
        _run(state, given.calls, given.state)
    print(report(state))


def _run(state: dict[str, Any], calls: int, path: Path) -> None:
    saved = time.monotonic()
    while state["calls"] < calls:
        began = time.monotonic()
        asyncio.run(_store(state))
        state["seconds"] += time.monotonic() - began
        if time.monotonic() - saved > SAVED_EVERY or state["calls"] >= calls:
            saved = time.monotonic()
            path.write_text(json.dumps(state), encoding="utf-8")
            print(report(state), flush=True)


if __name__ == "__main__":
    main()
