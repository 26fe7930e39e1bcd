"""The closed vocabulary of dates and times in Brazilian Portuguese, without accents and in lower case."""

import re

from gendei.booking.dates.nodes import Part


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


WEEKDAYS = {"segunda": 0, "terca": 1, "quarta": 2, "quinta": 3, "sexta": 4, "sabado": 5, "domingo": 6}
WEEKDAY_PLURALS = {f"{name}s": number for name, number in WEEKDAYS.items()}
WEEKDAY_SHORT = {"seg": 0, "ter": 1, "qua": 2, "qui": 3, "sex": 4, "sab": 5, "dom": 6}

MONTHS = {
    "janeiro": 1,
    "fevereiro": 2,
    "marco": 3,
    "abril": 4,
    "maio": 5,
    "junho": 6,
    "julho": 7,
    "agosto": 8,
    "setembro": 9,
    "outubro": 10,
    "novembro": 11,
    "dezembro": 12,
}
MONTHS_SHORT = {name[:3]: number for name, number in MONTHS.items()}

_UNITS = "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete"
NUMBERS = {name: value for value, name in enumerate([*_UNITS.split(), "dezoito", "dezenove"])} | {
    "uma": 1,
    "duas": 2,
    "treis": 3,
    "catorze": 14,
    "dezaseis": 16,
    "dezasete": 17,
    "dezanove": 19,
    "vinte": 20,
    "trinta": 30,
    "quarenta": 40,
    "cinquenta": 50,
}
ORDINALS = {
    "primeira": 1,
    "primeiro": 1,
    "segunda": 2,
    "segundo": 2,
    "terceira": 3,
    "terceiro": 3,
    "quarta": 4,
    "quarto": 4,
    "quinta": 5,
    "quinto": 5,
    "sexto": 6,
    "setimo": 7,
    "oitavo": 8,
    "nono": 9,
    "decimo": 10,
    "vigesimo": 20,
    "trigesimo": 30,
    "ultima": -1,
    "ultimo": -1,
    "penultima": -2,
    "penultimo": -2,
}
PARTS = {
    "manha": Part.MORNING,
    "tarde": Part.AFTERNOON,
    "noite": Part.NIGHT,
    "madrugada": Part.DAWN,
}
DIMINUTIVES = {
    "manhazinha": (6 * 60, 9 * 60),
    "tardinha": (16 * 60, 18 * 60),
    "tardezinha": (16 * 60, 18 * 60),
    "noitinha": (18 * 60, 20 * 60),
    "cedo": (6 * 60, 10 * 60),
    "cedinho": (6 * 60, 9 * 60),
}

ALIASES = {
    "hj": "hoje",
    "hoj": "hoje",
    "oje": "hoje",
    "hje": "hoje",
    "hoji": "hoje",
    "amn": "amanha",
    "amh": "amanha",
    "amnh": "amanha",
    "amnha": "amanha",
    "amanh": "amanha",
    "amanhan": "amanha",
    "amana": "amanha",
    "amna": "amanha",
    "amaha": "amanha",
    "ont": "ontem",
    "antiontem": "anteontem",
    "antionti": "anteontem",
    "dps": "depois",
    "dpois": "depois",
    "dpos": "depois",
    "depos": "depois",
    "prox": "proxima",
    "proximo": "proxima",
    "proximas": "proxima",
    "proximos": "proxima",
    "px": "proxima",
    "q": "que",
    "daki": "daqui",
    "dqui": "daqui",
    "daq": "daqui",
    "pro": "para",
    "pra": "para",
    "pras": "para",
    "pros": "para",
    "p": "para",
    "msm": "mesmo",
    "agr": "agora",
    "findi": "fds",
    "finde": "fds",
    "sems": "semanas",
    "hrs": "horas",
    "hr": "horas",
    "hs": "horas",
    "h": "horas",
    "hora": "horas",
    "min": "minutos",
    "mins": "minutos",
    "minuto": "minutos",
    "dias": "dia",
    "semanas": "semana",
    "meses": "mes",
    "anos": "ano",
    "d": "de",
    "n": "nao",
    "ñ": "nao",
    "naum": "nao",
    "noit": "noite",
    "noiti": "noite",
    "tardi": "tarde",
    "trde": "tarde",
    "mnha": "manha",
    "manhan": "manha",
    "tersa": "terca",
    "marso": "marco",
    "marsu": "marco",
    "cedin": "cedinho",
    "cedim": "cedinho",
    "matutino": "manha",
    "vespertino": "tarde",
    "noturno": "noite",
    "terssa": "terca",
    "tercafeira": "terca",
    "segundafeira": "segunda",
    "quartafeira": "quarta",
    "quintafeira": "quinta",
    "sextafeira": "sexta",
    "sesta": "sexta",
    "dumingo": "domingo",
    "meidia": "meiodia",
    "outro": "outra",
    "passado": "passada",
    "retrasado": "retrasada",
    "otra": "outra",
    "otro": "outra",
    "noutra": "outra",
    "noutro": "outra",
    "inicio": "comeco",
    "comecinho": "comeco",
    "final": "fim",
    "finalzinho": "fim",
    "finzinho": "fim",
    "metade": "meio",
    "apos": "depois",
    "ateh": "ate",
    "primeiros": "primeiro",
    "primeiras": "primeira",
    "ultimos": "ultima",
    "ultimas": "ultima",
    "ultimo": "ultima",
    "umas": "uns",
    "revellion": "reveillon",
    "reveion": "reveillon",
    "finado": "finados",
    "exceto": "menos",
    "fora": "menos",
    "tirando": "menos",
}
"""Abbreviations, usual misspellings and words that the grammar treats as one, to the word that it knows."""

SPELLABLE = (frozenset({*WEEKDAYS, *MONTHS}) - {"marco"}) | words(
    "tarde noite madrugada amanha ontem anteontem depois proxima semana feira feriado vespera carnaval pascoa natal"
)
"""Words whose misspellings are mended by edit distance."""

FALSE_FRIENDS = words(
    """
    segundo segundos segunde secunda segundas seguida seguido segura seguro quarto quartos quartas quinto
    quintos quintas quinta quintal sexto sextos sextas cesta cestas terco tercos tercas terna terra certa
    testa tarda tardes tardar tardio parte carde noites noiva noive noivo note nota norte noiteira natais
    nasal sabados sabido sabida sabão salada saldado sadado domingos dominio dominado janeira marca marcos
    marcou barco marcar arco maior maiores mais abrir abriu abra junto juntos junta julia julio juno junhos
    agosta gosto gosta agostos setembros novembros semanal semanais mensal emana feita feiras
    feria ferias feio freira beira deira feridas ferida ferido feridos feriados dispoe depor despois
    depende aproxima proximidade ontens antes sabedor natural fatal total pascal comecou
    comecar comecei comeca cedinhos vesperas quinzenal manhas minha minhas amanhas amanda ananda armanha
    tarder tardou sextou sentada quanta quantas quanto quase quenta quente quantia pinta pintas cinta tinta
    junina julgo orelha agora quer quero madrugadas amanheceu montem contem obtem ontem terceira terceiro mayo
    magno contar teria tera teca torca turca seta seita senta serta feia fera ferra fira feiura trade tarte abri
    abria april avril aranha arranha apanha naval nata natas nadal natan quieta quina safado sabao sarado sacado
    pascoal dormindo domino domingas fernando formado firmado ferrado ferindo juazeiro ferreiro serrana tersos
    vencera carnavais canavial noise nite outeiro junio junco aposto quartz nataly proximal
    """
)
"""Real words within reach of the vocabulary; they are left alone."""

ORDINAL_HEADS = words(
    """
    via vez vezes consulta sessao sessoes dose opcao opiniao parte parcela etapa aplicacao visita quinzena filha
    avaliacao fase serie pessoa tentativa mensagem chamada cirurgia gravidez gestacao cadeira rua casa mao
    divisao linha classe metade remessa aula turma pergunta coisa questao unidade clinica loja sala porta quadra
    avenida geracao ligacao dente manutencao foto pagina guia receita neta irma esposa mulher alternativa duvida
    """
)
"""What follows when "segunda" or "quinta" counts instead of naming a day."""

GREETING_ADJECTIVES = words("bom boa bons boas otimo otima excelente feliz lindo linda maravilhoso abencoada")
GREETED = words(
    """
    dia tarde noite manha semana feriado natal fds pascoa carnaval ano fim domingo sabado segunda terca quarta
    quinta sexta madrugada reveillon
    """
)
FAREWELLS = words(
    """
    obrigado obrigada obg obgd obrigadao brigado brigada tchau valeu vlw abraco abracos beijo bjs
    """
)
PLACES = words(
    """
    rua r avenida av travessa trav praca pca alameda largo rodovia viaduto ponte estacao metro bairro vila jardim
    colegio escola edificio condominio hospital maternidade paroquia igreja
    """
)
"""What bears the name of a day or feast: "rua 7 de setembro", "praça Tiradentes"."""
BIRTHS = words("pre pos neo")
"""Before "natal" they make it the care around a birth, which is a service and no day."""
A_BIT = words("pouco pouquinho pouca pouquinha tal tanto tantos tantas")
TITLES = words("dr dra doutor doutora sr sra senhor senhora dona chamo professor professora")

NOT_A_PART_AFTER = frozenset(["mais", "muito", "tao", "meio", "demais", "bem", "ja"])
PAST_VERBS = words(
    "fui foi fomos foram estive estivemos tive tivemos fiz fizemos vim voltei faltei paguei operei nasceu nasci"
)
"""Before a weekday or a date they say that it is over: "fui na quinta", "foi dia 10"."""
DURATION_BEFORE = words("dura demora leva durante por faz ha cada espera esperei demorou durou gasta quase")
DURATION_AFTER = frozenset(["antes", "atras"])

FEASTS: dict[tuple[str, ...], str] = {
    tuple(phrase.split()): name
    for name, phrases in {
        "ano novo": ("ano novo", "dia de ano novo", "confraternizacao universal", "virada do ano"),
        "reveillon": ("reveillon", "vespera de ano novo", "vespera do ano novo", "virada"),
        "vespera de natal": ("vespera de natal", "vespera do natal", "noite de natal"),
        "natal": ("dia de natal", "natal"),
        "tiradentes": ("dia de tiradentes", "tiradentes"),
        "trabalho": ("dia do trabalho", "dia do trabalhador", "dia dos trabalhadores"),
        "independencia": ("dia da independencia", "independencia do brasil", "independencia"),
        "aparecida": (
            "dia de nossa senhora",
            "dia das criancas",
            "nossa senhora aparecida",
            "dia da padroeira",
        ),
        "finados": ("dia de finados", "dia dos finados", "finados", "dia dos mortos"),
        "republica": ("proclamacao da republica", "dia da republica"),
        "consciencia negra": ("dia da consciencia negra", "consciencia negra"),
        "carnaval": ("terca de carnaval", "carnaval"),
        "cinzas": ("quarta de cinzas", "quarta feira de cinzas"),
        "sexta santa": (
            "sexta santa",
            "sexta feira santa",
            "sexta da paixao",
            "sexta feira da paixao",
            "paixao de cristo",
        ),
        "quinta santa": ("quinta santa", "quinta feira santa"),
        "aleluia": ("sabado de aleluia",),
        "pascoa": ("domingo de pascoa", "dia de pascoa", "pascoa"),
        "ramos": ("domingo de ramos",),
        "corpus christi": ("corpus christi", "corpus cristi", "dia de corpus christi"),
        "sao joao": ("dia de sao joao", "sao joao"),
        "maes": ("dia das maes",),
        "pais": ("dia dos pais",),
        "namorados": ("dia dos namorados",),
    }.items()
    for phrase in phrases
}
"""Feasts by the words that name them."""
FEAST_STARTS = frozenset(words[0] for words in FEASTS)
COMMERCIAL_FEASTS = frozenset({"maes", "pais", "namorados"})
"""They name a promotion as often as a day, so they need a preposition, or the message to themselves."""

HAS_A_HINT = re.compile(r"\d|[^\W\d_]{2}")
"""A text without this holds no date."""

STARTERS = frozenset(
    {
        *WEEKDAYS,
        *WEEKDAY_PLURALS,
        *WEEKDAY_SHORT,
        *MONTHS,
        *MONTHS_SHORT,
        *NUMBERS,
        *ORDINALS,
        *PARTS,
        *(f"{part}s" for part in PARTS),
        *DIMINUTIVES,
        *FEAST_STARTS,
    }
) | words(
    """
    pos pre hoje amanha ontem anteontem depois antes daqui daki em dentro com ha faz fazem de do da das a o as os na
    no nas nos ao aos para pela pelo pelas toda todo todas todos ate desde entre por perto cerca mais la tipo uns
    dia semana sem mes ano fds fim comeco meio meados vespera ante feriado agora meia meiodia meianoite mei sao nao
    faltando apartir partir passando passado passada hora horas horario almoco trabalho fazem servico expediente
    trampo bem parte periodo turno que cesta proxima outra ultima seguinte essa esse esta este nessa nesse nesta
    neste dessa desse desta deste mesmo volta torno
    """
)
"""Words that an expression may begin with."""
