"""Looks at the tokens of a message by position: what every rule of the grammar is written in."""

from collections.abc import Sequence

from gendei.booking.dates.lexer import TextToken, TokenKind
from gendei.booking.dates.words import MONTHS, MONTHS_SHORT, NUMBERS, ORDINALS

Found = tuple[int, int]
"""A number and the position behind it."""

_BEYOND = 16
_NOT_NOUNS = frozenset({"horas", "depois", "minutos", "antes", "mais", "sabados", "domingos"})
_CLAUSE_ENDS = frozenset("?.,!;\n")


class Cursor:
    """Read-only view of the tokens. Positions outside of them hold nothing and match nothing."""

    __slots__ = ("_asking", "_mirror", "last_word", "memory", "size", "tokens", "words")

    def __init__(self, tokens: Sequence[TextToken]) -> None:
        self.tokens = tokens
        # Blanks behind the end answer for the few positions beyond either end that a rule may look at.
        self.words = [token.text for token in tokens] + [""] * _BEYOND
        self.size = len(tokens)
        self.memory: dict[tuple[object, int], object] = {}
        # The position behind the last token that is no mark.
        self.last_word = next((at for at in range(self.size, 0, -1) if tokens[at - 1].kind is not TokenKind.MARK), 0)
        self._mirror: Cursor | None = None
        self._asking: list[bool] | None = None

    def mirror(self) -> "Cursor":
        """The tokens from the last to the first."""
        self._mirror = self._mirror or Cursor(self.tokens[::-1])
        return self._mirror

    def word(self, at: int) -> str:
        """The canonical word or mark at that position, "" for a number and beyond the ends."""
        return self.words[at] if -_BEYOND <= at < self.size else ""

    def raw(self, at: int) -> str:
        """The word at that position as it was written, in lower case; "" beyond the ends."""
        return self.tokens[at].raw.lower() if 0 <= at < self.size else ""

    def kind(self, at: int) -> TokenKind | None:
        return self.tokens[at].kind if 0 <= at < self.size else None

    def numbers(self, at: int, kind: TokenKind) -> tuple[int, ...] | None:
        """The numbers of the token at that position if it is of that kind."""
        return self.tokens[at].numbers if 0 <= at < self.size and self.tokens[at].kind is kind else None

    def digits(self, at: int) -> int | None:
        """The number in digits there, but for 0."""
        return (self.numbers(at, TokenKind.NUMBER) or (None,))[0]

    def clock(self, at: int) -> tuple[int, ...] | None:
        return self.numbers(at, TokenKind.CLOCK)

    def date(self, at: int) -> tuple[int, ...] | None:
        return self.numbers(at, TokenKind.DATE)

    def is_word(self, at: int) -> bool:
        return self.kind(at) is TokenKind.WORD

    def number(self, at: int) -> Found | None:
        """A cardinal in digits or words: "15", "quinze", "vinte e um"."""
        digits = self.numbers(at, TokenKind.NUMBER)
        if digits:
            return digits[0], at + 1
        value = NUMBERS.get(self.word(at))
        if value is None:
            return None
        if value >= 20 and self.word(at + 1) == "e" and 0 < NUMBERS.get(self.word(at + 2), 0) < 10:
            return value + NUMBERS[self.word(at + 2)], at + 3
        return value, at + 1

    def day_number(self, at: int) -> Found | None:
        """The number of a day: a cardinal, "1º" or "primeiro"."""
        ordinal = self.numbers(at, TokenKind.ORDINAL)
        if ordinal:
            return ordinal[0], at + 1
        return (1, at + 1) if self.word(at) == "primeiro" else self.number(at)

    def ordinal(self, at: int) -> Found | None:
        """An ordinal in digits or words, -1 for the last: "9º", "terceiro", "décimo segundo"."""
        digits = self.numbers(at, TokenKind.ORDINAL)
        if digits:
            return digits[0], at + 1
        value = ORDINALS.get(self.word(at))
        if value is None:
            return None
        unit = ORDINALS.get(self.word(at + 1), 0) if value in (10, 20, 30) else 0
        return (value + unit, at + 2) if 0 < unit < 10 else (value, at + 1)

    def nth(self, at: int) -> int:
        """The ordinal of one word or token there, -1 for the last; 0 where none stands."""
        return ORDINALS.get(self.word(at)) or (self.numbers(at, TokenKind.ORDINAL) or (0,))[0]

    def year(self, at: int) -> int | None:
        """A year in four digits."""
        digits = self.numbers(at, TokenKind.NUMBER)
        return digits[0] if digits and 1900 <= digits[0] <= 2199 else None

    def month(self, at: int, *, shortened: bool) -> Found | None:
        """The name of a month; its first three letters only where the context promises a month."""
        word = self.word(at)
        value = MONTHS.get(word) or (MONTHS_SHORT.get(word) if shortened else None)
        return (value, at + 1) if value else None

    def ends(self, at: int) -> bool:
        """Whether the message, or the sentence, ends before this position."""
        return at >= self.size or self.tokens[at].kind is TokenKind.MARK

    def asks(self, at: int) -> bool:
        """Whether the clause around this position ends in a question mark."""
        if self._asking is None:
            self._asking = self._asking_from_the_end()
        return 0 <= at < self.size and self._asking[at]

    def _asking_from_the_end(self) -> list[bool]:
        """`asks` of every position, in one pass: a message may hold thousands of expressions and no mark."""
        asking, asks = [False] * self.size, False
        for at in range(self.size - 1, -1, -1):
            if self.tokens[at].kind is TokenKind.MARK and self.words[at] in _CLAUSE_ENDS:
                asks = self.words[at] == "?"
            asking[at] = asks
        return asking

    def counts_things(self, at: int) -> bool:
        """Whether a plural noun follows, so that the number before it counted ("3 filhas") and told no hour."""
        word = self.word(at)
        return len(word) > 3 and word.endswith("s") and word not in _NOT_NOUNS and self.kind(at) is TokenKind.WORD
