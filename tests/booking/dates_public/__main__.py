"""Print how the date grammar fares on two public collections: `--duckling PATH --recognizers PATH` name clones.

Clones of https://github.com/facebook/duckling and https://github.com/microsoft/Recognizers-Text; nothing of them is
kept here. `--outside` also lists what is out of scope, with the reason.
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.booking.dates_public import duckling, recognizers
from tests.booking.dates_public.expected import Phrase, Verdict, judged

from gendei.booking.dates import describe, resolve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--duckling", type=Path, help="a clone of facebook/duckling")
    parser.add_argument("--recognizers", type=Path, help="a clone of microsoft/Recognizers-Text")
    parser.add_argument("--outside", action="store_true", help="list what is out of scope, with the reason")
    arguments = parser.parse_args()
    for name, clone, read in (
        ("duckling", arguments.duckling, duckling.phrases),
        ("recognizers", arguments.recognizers, recognizers.phrases),
    ):
        if clone:
            report(name, list(read(clone)), outside=arguments.outside)


def report(name: str, phrases: list[Phrase], *, outside: bool) -> None:
    inside = [phrase for phrase in phrases if not phrase.outside]
    verdicts = [judged(phrase) for phrase in inside]
    counts = Counter(verdicts)
    rate = counts[Verdict.RIGHT] / max(len(inside), 1)
    print(
        f"{name}: {len(phrases)} phrases, {len(inside)} in scope, {counts[Verdict.RIGHT]} right ({rate:.1%}), ", end=""
    )
    print(", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if verdict is not Verdict.RIGHT))
    for verdict in Verdict:
        if verdict is not Verdict.RIGHT:
            _list(verdict, (phrase for phrase, found in zip(inside, verdicts, strict=True) if found is verdict))
    if outside:
        for reason, count in Counter(phrase.outside for phrase in phrases if phrase.outside).most_common():
            print(f"  out of scope: {reason} ({count})")
            for phrase in phrases:
                if phrase.outside == reason:
                    print(f"    {phrase.text}")


def _list(verdict: Verdict, phrases: Iterable[Phrase]) -> None:
    for phrase in phrases:
        found = resolve(phrase.text, phrase.now)
        read = describe(found, phrase.now) if found else "nothing"
        print(f"  {verdict}: {phrase.text!r} [{phrase.now:%a %d/%m/%Y %H:%M}]: {read} for {phrase.expected}")


if __name__ == "__main__":
    main()
