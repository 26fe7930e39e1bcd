"""WhatsApp's marks become HTML; nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gendei.web.pages.whatsapp_text import whatsapp_html, whatsapp_plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*Consulta Geral*, amanhã", "<strong>Consulta Geral</strong>, amanhã"),
        ("_leve_ e ~errado~", "<em>leve</em> e <s>errado</s>"),
        ("```CRM 1```", "<code>CRM 1</code>"),
        ("2*3*4", "2*3*4"),
        ("* item *", "* item *"),
        ("*a\nb*", "*a\nb*"),
        ("<b>oi</b> & *<i>*", "&lt;b&gt;oi&lt;/b&gt; &amp; <strong>&lt;i&gt;</strong>"),
        (
            "veja https://a.test/um_dois_tres.",
            'veja <a href="https://a.test/um_dois_tres" target="_blank" rel="noopener noreferrer">'
            "https://a.test/um_dois_tres</a>.",
        ),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_marks_become_tags(text, expected):
    assert whatsapp_html(text) == expected


def test_a_line_of_a_list_shows_no_marks():
    assert (whatsapp_plain("*Limpeza* com _Dra. Paula_: ~R$ 200~ 2*3"), whatsapp_plain("https://a.test/um_dois")) == (
        "Limpeza com Dra. Paula: R$ 200 2*3",
        "https://a.test/um_dois",
    )


@given(st.text(alphabet="*_~`<>\"'& \nab:/https"))
def test_no_text_brings_a_tag_of_its_own(text):
    html = whatsapp_html(text)
    for tag in ("strong", "em", "s", "code"):
        html = html.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    html = html.replace(' target="_blank" rel="noopener noreferrer">', "").replace("</a>", "").replace('<a href="', "")
    assert not {"<", ">"} & set(html)
