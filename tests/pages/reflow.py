"""What of a page lies beside a window as narrow as a screen of 1280 pixels at a zoom of 400 % (WCAG 1.4.10)."""

from playwright.async_api import Page

ZOOMED = (320, 640)
"""1280 pixels at 400 %; pages that fit here fit a low window too, they scroll downwards."""
BESIDE = """() => {
  const wide = document.documentElement.clientWidth, told = [];
  const name = element => `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
  const over = document.documentElement.scrollWidth - wide;
  if (over > 0) told.push(`the page is ${over} wider`);
  const scrolls = element => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const twoDimensional = element => element.closest("table, pre, [role=grid], [data-two-dimensional]")
    || element.querySelector("table, [role=grid], [data-two-dimensional]");
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    if (scrolls(element) && element.scrollWidth > element.clientWidth + 1 && !element.matches("input, textarea")
        && !twoDimensional(element)) told.push(`${name(element)} scrolls sideways`);
    const read = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!read && !element.matches("a, button, input, select, textarea, [tabindex], img, svg")) continue;
    if (box.left >= -1 && box.right <= wide + 1) continue;
    let above = element.parentElement;
    while (above && !scrolls(above)) above = above.parentElement;
    if (!above || above === document.body || above === document.documentElement)
      told.push(`${name(element)} "${element.textContent.trim().slice(0, 40)}" ${box.left | 0}-${box.right | 0}`);
  }
  return told;
}"""
"""Content that has two dimensions by its nature (tables, the agenda, code) may scroll in a part of its own."""


async def beside(page: Page) -> list[str]:
    """A line for each element of the page, and of the frames in it, that is reached by scrolling sideways alone."""
    return [line for frame in page.frames if frame.url.startswith("http") for line in await frame.evaluate(BESIDE)]
