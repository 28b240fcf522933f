"""What each page is about, whether it is seen without scrolling, and what of a page a finger does not reach."""

import json
from typing import Any

from playwright.sync_api import Page

from tests.browser.idle import SCROLLED, asking, assert_no_sideways_scroll, settled

# Each page with the figure that it is about; and what moves it, where that has a place of its own.
FIGURES = {
    "/": ("vector-sum .bands", ""),
    "/tokens": ("token-rows .window", ""),
    "/embedding_layer": ("embedding-matrix .list", ""),
    "/batches": ("window-pairs .stage", ""),
    "/positions": ("waves", "position"),
    "/word_order": ("moves", ""),
    "/compare": ("contributions .picture", ""),
    "/extrapolation": ("by-length", ""),
    "/projection": ("point-cloud .stage", ""),
    "/training?train_steps=20&train_step=20": ("train-cloud .stage", ""),  # as it opens, it would never be idle
    "/models": ("model-rows", ""),
    "/context": ("context-word", ""),
    "/lessons": ("lesson-tour", ""),
}

# Components whose steps are played above their picture: what plays them, the picture, and what stands below it.
PLAYED = {
    "/": ("vector-sum .bar", "vector-sum .bands", "vector-sum .foot"),
    "/embedding_layer": ("one-hot-product .bar", "one-hot-product .stage", "one-hot-product .window"),
}

# A part by the key of what holds it, in a component's shadow root where more is said.
_FIND = """(place) => {
    const [key, ...inside] = place.split(" ");
    const outer = document.querySelector(`.st-key-${key}`);
    const rooted = [...(outer?.querySelectorAll("*") ?? [])].find((part) => part.shadowRoot)?.shadowRoot;
    return inside.length ? rooted?.querySelector(inside.join(" ")) : outer;
}"""
# Running text is read, and its words are no buttons: links in it, tokens of a text with its windows.
_AT_FAULT = """() => {
    const all = [];
    const gather = (root) => {
        for (const part of root.querySelectorAll("*")) {
            all.push(part);
            if (part.shadowRoot) gather(part.shadowRoot);
        }
    };
    gather(document);
    const faults = new Set();
    const named = (part) => `${part.tagName} ${part.dataset.testid} ${part.ariaLabel ?? part.textContent}`;
    const controls = "button, a[href], summary, select, textarea, input, [role=option], [role=radio]";
    const read = 'p a, [data-testid="window-token"], [data-testid="stSidebar"][data-collapsed="true"] *';
    for (const part of all) {
        if (!part.matches(controls) || part.matches(read)) continue;
        if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const { width, height } = ((part.tagName === "INPUT" && part.closest("label")) || part).getBoundingClientRect();
        if (width < 2 || height < 2) continue;
        const slider = part.closest('[data-testid="stSlider"]');
        if (slider) { // its input is out of sight, and what is around its thumb takes the finger
            part.scrollIntoView({ block: "center" });
            const { left, top, ...thumb } = part.closest("[data-rac]").getBoundingClientRect().toJSON();
            const [x, y] = [left + thumb.width / 2, top + thumb.height / 2];
            const hit = [-20, 20].map((away) => document.elementFromPoint(x, y + away));
            const isHit = (one) => slider.contains(one) && !one.closest("label");
            if (!hit.every(isHit)) faults.add(`small: ${named(part)}`);
            continue;
        }
        if (width < 43.5 || height < 43.5) faults.add(`small: ${width} x ${height} ${named(part)}`);
        const typed = part.matches("textarea, input:not([type=range], [type=checkbox], [type=radio], [type=file])");
        if (typed && parseFloat(getComputedStyle(part).fontSize) < 16) faults.add(`zooms: ${named(part)}`);
    }
    const over = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    for (const chart of document.querySelectorAll(".js-plotly-plot")) {
        const bars = [...chart.querySelectorAll(".modebar-group")].map((bar) => bar.getBoundingClientRect());
        const frame = chart.getBoundingClientRect();
        const words = ".legendtext, .gtitle, .annotation-text, .colorbar, .xtick, .ytick";
        for (const part of chart.querySelectorAll(words)) {
            const box = part.getBoundingClientRect();
            if (!box.width) continue;
            if (bars.some((bar) => over(bar, box))) faults.add(`covered: ${part.textContent}`);
            if (box.left < frame.left - 2 || box.right > frame.right + 2) faults.add(`cut: ${part.textContent}`);
        }
    }
    return [...faults];
}"""
# The figure below Streamlit's bar and what moves it, as far down as the figure's lower edge.
_ON_ONE_SCREEN = f"""([figure, mover]) => {{
    const find = {_FIND};
    const part = find(figure);
    const main = document.querySelector('[data-testid="stMain"]');
    part.scrollIntoView({{ block: "end" }});
    main.scrollBy(0, 8);
    const {{ top, bottom }} = part.getBoundingClientRect();
    const above = mover ? find(mover).getBoundingClientRect() : {{ top: 60, bottom: 60 }};
    return {{ top, bottom, above: [above.top, above.bottom], height: window.innerHeight }};
}}"""


# With what is below the picture at the window's foot: the room between the player, which stays in view, and it.
_ROOM_ABOVE = f"""([player, picture, below]) => {{
    const find = {_FIND};
    find(below).scrollIntoView({{ block: "end" }});
    return find(picture).getBoundingClientRect().top - find(player).getBoundingClientRect().bottom;
}}"""


def assert_for_fingers(page: Page) -> None:
    """Wait until every control has 44 px, what is typed into has 16, and no chart's words are covered or cut."""
    asking(page, lambda: page.evaluate(_AT_FAULT) == [], lambda: json.dumps(page.evaluate(_AT_FAULT), indent=1))


def assert_fits_a_phone(page: Page, path: str) -> None:
    """Wait until a page that is drawn has room for fingers, nothing beside it, and its figure on one screen."""
    assert_no_sideways_scroll(page)
    assert_for_fingers(page)
    assert_on_one_screen(page, path)
    if path in PLAYED:
        assert_played_on_one_screen(page, path)


def assert_on_one_screen(page: Page, path: str) -> None:
    """Scroll to the figure of a page, and wait until it is whole below what moves it."""

    def seen() -> bool:
        found: dict[str, Any] = page.evaluate(_ON_ONE_SCREEN, FIGURES[path])
        return bool(60 <= found["above"][0] <= found["above"][1] <= found["top"] and found["bottom"] <= found["height"])

    asking(page, seen, lambda: page.evaluate(_ON_ONE_SCREEN, FIGURES[path]))


def assert_played_on_one_screen(page: Page, path: str) -> None:
    """Wait until a component's picture is whole between what plays its steps and what stands below it."""
    parts = list(PLAYED[path])
    asking(page, lambda: page.evaluate(_ROOM_ABOVE, parts) >= 0, lambda: page.evaluate(_ROOM_ABOVE, parts))


def assert_in_first_window(page: Page, path: str) -> None:
    """Wait until the figure of a page is whole in its window, which nobody has scrolled."""
    box = f"(place) => {{ const part = ({_FIND})(place); return part?.getBoundingClientRect().toJSON(); }}"

    def whole() -> bool:
        found = page.evaluate(box, FIGURES[path][0])
        height = page.evaluate("() => innerHeight")
        return bool(found and found["height"] > 100 and found["top"] >= 60 and found["bottom"] <= height)

    asking(page, whole, lambda: page.evaluate(box, FIGURES[path][0]))


# The middle of each element that can scroll sideways and not up or down, brought into the window.
_STRIP = """(index) => {
    const strips = [];
    const gather = (root) => {
        for (const part of root.querySelectorAll("*")) {
            const { overflowX, overflowY } = getComputedStyle(part);
            const scrolls = [overflowX, overflowY].some((way) => way === "auto" || way === "scroll");
            if (scrolls && part.scrollHeight <= part.clientHeight && part.clientHeight > 20) strips.push(part);
            if (part.shadowRoot) gather(part.shadowRoot);
        }
    };
    gather(document.querySelector(".stMainBlockContainer"));
    const strip = strips[index];
    if (!strip) return null;
    strip.scrollIntoView({ block: "center" });
    const { left, top, width, height } = strip.getBoundingClientRect();
    const y = Math.min(top + height / 2, innerHeight - 40);
    return { x: left + width / 2, y, name: strip.className || strip.tagName };
}"""


def assert_wheel_scrolls_the_page(page: Page) -> list[str]:
    """Turn the wheel over every strip of a page that is drawn, and wait until the page moves; return their names."""
    names = []
    while strip := settled(page, f"(index) => ({_STRIP})(index) ?? false", len(names)):
        names.append(str(strip["name"]))
        before = page.evaluate(SCROLLED)
        page.mouse.move(strip["x"], strip["y"])
        page.mouse.wheel(0, -60 if before > 60 else 60)
        asking(page, lambda before=before: page.evaluate(SCROLLED) != before, lambda: names[-1])
    return names
