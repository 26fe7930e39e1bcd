"""Somebody who has a keyboard and no mouse: Tab, Enter, Space, arrows, Escape, and letters."""

from dataclasses import dataclass

from playwright.async_api import Locator, Page, expect

MOST_STOPS = 120
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}"""
HERE = "(wanted, at) => wanted === at || wanted.contains(at)"
SEEN = """at => {
  if (at === document.body || at.tagName === "IFRAME") return "";
  const box = (at.closest(".q-field__control") ?? at).getBoundingClientRect();
  if (!box.width || !box.height || box.bottom <= 0 || box.top >= innerHeight) return "out of sight";
  const style = getComputedStyle(at), field = at.closest(".q-field");
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  if (!outlined && !field?.classList.contains("q-field--focused") && !at.matches("main, .q-dialog__inner, [role=log]"))
    return "not marked";
  const [x, y] = [box.x + box.width / 2, Math.min(Math.max(box.y + box.height / 2, 1), innerHeight - 1)];
  const top = at.getRootNode().elementFromPoint(x, y);
  const own = !top || at.contains(top) || top.contains(at) || field?.contains(top);
  return own ? "" : `under ${top.outerHTML.slice(0, 80)}`;
}"""
"""Why somebody cannot see that this has the focus; "" where they can (WCAG 2.4.7, 2.4.11)."""


@dataclass(frozen=True)
class Keys:
    page: Page

    async def reach(self, wanted: Locator, *, back: bool = False) -> None:
        """Press Tab until this has the focus; each stop on the way has to be seen."""
        await expect(wanted).to_be_visible()
        passed = []
        for _ in range(MOST_STOPS):
            await self.page.keyboard.press("Shift+Tab" if back else "Tab")
            at = await self.page.evaluate_handle(FOCUSED)
            why = await at.evaluate(SEEN)
            told = await at.evaluate("at => at.outerHTML.slice(0, 160)")
            assert not why, f"{why}: {told}"
            passed.append(told)
            if await wanted.evaluate(HERE, at):
                return
        raise AssertionError("never reached; passed:\n" + "\n".join(dict.fromkeys(passed)))

    async def press(self, key: str) -> None:
        await self.page.keyboard.press(key)

    async def write(self, text: str) -> None:
        """In place of what the field holds."""
        await self.page.keyboard.press("Control+a")
        await self.page.keyboard.type(text)

    async def fill(self, field: Locator, text: str) -> None:
        await self.reach(field)
        await self.write(text)

    async def use(self, button: Locator, key: str = "Enter") -> None:
        await self.reach(button)
        await self.page.keyboard.press(key)

    async def enters(self, dialog: Locator) -> None:
        """A dialog takes the focus as it opens."""
        await expect(dialog).to_be_visible()
        await self.page.wait_for_function(
            "at => at.contains(document.activeElement)", arg=await dialog.element_handle()
        )

    async def stays_in(self, dialog: Locator) -> None:
        """Whichever way Tab goes, the focus is in the dialog, and comes round."""
        await self.enters(dialog)
        for key in ("Tab", "Shift+Tab"):
            seen = set()
            for _ in range(MOST_STOPS):
                await self.page.keyboard.press(key)
                at = await self.page.evaluate_handle(FOCUSED)
                assert await dialog.evaluate(HERE, at), await at.evaluate("at => at.outerHTML.slice(0, 200)")
                before, known = len(seen), await at.evaluate("at => at.outerHTML.slice(0, 300)")
                seen.add(known)
                if len(seen) == before:
                    break
            else:
                raise AssertionError("it never came round")
