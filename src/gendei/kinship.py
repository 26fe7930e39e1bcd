"""The words for relatives: whom a patient writes for."""

import re

KIN = frozenset(
    """
    mae mainha mamae pai painho papai filho filha filhos filhas filhinho filhinha esposo esposa marido mulher patroa
    avo vo vovo voinho voinha vozinha irmao irma irmaos irmas neto neta netos netas netinho netinha tio tia sogro sogra
    namorado namorada noivo noiva primo prima sobrinho sobrinha cunhado cunhada enteado enteada bebe nenem menino menina
    crianca guri guria pia moleque
    """.split()
)
"""Without accents and in lower case."""
CHILDREN = frozenset(
    """
    filho filha filhos filhas filhinho filhinha neto neta netos netas netinho netinha sobrinho sobrinha enteado enteada
    bebe bebes bebezinho bebezinha nenem nene menino menina meninos meninas menininho menininha crianca criancas
    criancinha guri guria piazinho pia moleque molequinho garoto garota garotinho garotinha pequeno pequena
    pequenininho pequenininha cacula
    """.split()
)
"""Those of whom a child is meant where no age says otherwise."""
_WRITTEN = {"a": "[aáàãâ]", "e": "[eéê]", "i": "[ií]", "o": "[oóôõ]", "c": "[cç]"}


def _pattern() -> str:
    longest_first = sorted(KIN, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.sub("[aeioc]", lambda vowel: _WRITTEN[vowel[0]], word) for word in longest_first) + ")"


RELATIVE = _pattern()
"""A regular expression of one of KIN, as people write it, with accents or without."""
