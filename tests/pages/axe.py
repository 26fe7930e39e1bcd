"""axe-core in the tests' browser: what WCAG 2.2 A and AA forbid on a page as it stands."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SETTLED = """async () => {
  const running = () => document.getAnimations().filter(one => one.playState === "running" && one.effect);
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise(requestAnimationFrame);
    for (const one of running()) { quiet = 0; try { one.finish() } catch { one.cancel() } }
  }
}"""
"""Nothing moves, and no colour is on its way to another: three frames in a row."""
RUN = """async tags => {
  const found = await axe.run(document, {
    runOnly: {type: "tag", values: tags}, rules: {"target-size": {enabled: true}}, resultTypes: ["violations"]
  });
  return found.violations.map(({id, nodes}) => ({id, nodes}));
}"""
"""axe leaves the size of targets out unless it is told to look."""
DARK = """dark => matchMedia("(prefers-color-scheme: dark)").matches === dark
  && (!document.querySelector(".nicegui-content") || document.body.classList.contains("body--dark") === dark)"""


async def in_scheme(page: Page, *, dark: bool) -> None:
    """Let the page stand in its light or dark colours."""
    await page.emulate_media(color_scheme="dark" if dark else "light")
    for frame in page.frames:
        await frame.wait_for_function(DARK, arg=dark)


async def violations(page: Page, *, more: tuple[str, ...] = ()) -> list[str]:
    """A line for each element of the page, and of the frames in it, that breaks a rule. `more`: tags beside TAGS."""
    for frame in page.frames:
        if frame.url.startswith("http") and not await frame.evaluate("'axe' in window"):
            await frame.evaluate(AXE_SCRIPT)
        await frame.evaluate(SETTLED)
    found: list[dict[str, Any]] = await page.evaluate(RUN, [*TAGS, *more])
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {_why(node)}: {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    return "; ".join(check["message"] for key in ("any", "all", "none") for check in node[key])[:240]
