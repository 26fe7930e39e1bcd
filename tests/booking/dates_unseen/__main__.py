"""Print the rate of each collection, what was missed, and the time that a phrase takes."""

from time import process_time

from tests.booking.dates_unseen.measure import COLLECTIONS, Case, found_for, is_right, read_cases, wanted_of

from gendei.booking.dates import resolve

ROUNDS = 20


def main() -> None:
    cases = list(read_cases())
    for collection in COLLECTIONS:
        of_it = [case for case in cases if case.collection == collection]
        right = sum(is_right(case) for case in of_it)
        print(f"{collection}: {right} of {len(of_it)} right ({right / len(of_it):.1%})")
    for case in cases:
        if not is_right(case):
            print(f"  {case.name} [{case.now:%a %d/%m/%Y %H:%M}]\n    {difference(case)}")
    print(f"{milliseconds_a_phrase(cases):.2f} ms of one processor a phrase")


def difference(case: Case) -> str:
    wanted, found = wanted_of(case), found_for(case)
    return ", ".join(
        f"{field}: {found[field]} for {wanted[field]}" for field in wanted if found[field] != wanted[field]
    )


def milliseconds_a_phrase(cases: list[Case]) -> float:
    start = process_time()
    for _ in range(ROUNDS):
        for case in cases:
            resolve(case.text, case.now)
    return (process_time() - start) * 1000 / ROUNDS / len(cases)


if __name__ == "__main__":
    main()
