"""A page is safe and readable: hostile texts, no network, no scripts, narrow, dark."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pages import alert, cells, chain, padded, said

import restride as rs
from restride.explain.html import assets, fragment, page
from restride.explain.subject import Reading
from restride.explain.telling import Told

ROOT = Path(__file__).parents[2]
HOSTILE = "</script><img src=x onerror=document.title='owned'>\"'&<!--\u2028"


def test_hostile_labels_and_constants_are_only_text(show):
    made = rs.view(np.zeros(2)).pad(1, "constant", HOSTILE)
    told = [Told(HOSTILE, Reading(made.chain), made.steps[0].operator(), HOSTILE)]
    shown = show(page(told, made.chain, title=HOSTILE))
    assert shown.locator("img").count() == 0
    assert shown.title() != "owned"
    assert HOSTILE[:20] in cells(shown, "Result").first.inner_text()
    assert shown.locator("h1").inner_text().startswith("</script><img")


ATTEMPTS = {
    "fetch": "fetch('http://127.0.0.1:9/').then(() => 'ok', () => 'refused')",
    "image": """new Promise((tell) => {
      const image = new Image();
      image.onload = () => tell('ok');
      image.onerror = () => tell('refused');
      image.src = 'http://127.0.0.1:9/a.png';
    })""",
    "by rule": """new Promise((tell) => {
      addEventListener('securitypolicyviolation', () => tell('refused'));
      fetch('http://127.0.0.1:9/').catch(() => 0);
    })""",
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_a_page_may_fetch_nothing(attempt, browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(chain().html(), encoding="utf-8")
    shown = browser.new_page()
    shown.goto(path.as_uri())
    assert shown.evaluate(f"() => {attempt}") == "refused"
    shown.close()


def test_without_scripts_the_page_is_a_static_picture(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(chain().html(), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, offline=True)
    shown = context.new_page()
    shown.goto(path.as_uri())
    told = shown.locator("main").inner_text()
    assert "2. pad(((0, 0), (1, 2)), 'reflect')" in told
    assert "all together" in told
    assert shown.locator("table").first.is_visible()
    context.close()


def test_a_notebook_picture_lights_its_kin_without_a_script(browser, tmp_path):
    path = tmp_path / "notebook.html"
    one, two = padded()._repr_html_(), padded()._repr_html_()
    path.write_text(f"<!doctype html><body>{one}{two}", encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, offline=True)
    shown = context.new_page()
    shown.goto(path.as_uri())
    shown.locator(".k5").first.hover()
    style = "n => getComputedStyle(n).outlineStyle"
    found = [cell.evaluate(style) for cell in shown.locator(".k5").all()]
    assert found == ["solid", "solid", "none", "none"]
    context.close()


def test_many_pictures_share_one_script(show):
    views = padded(), rs.view(np.arange(3)).pad(1, "edge")
    parts = "".join(fragment([], made.chain) for made in views)
    shown = show(f"<!doctype html><meta charset=utf-8><body>{assets()}{parts}")
    assert shown.locator(".rs-app").count() == 2
    first, second = shown.locator(".restride").all()
    second.get_by_role("gridcell").last.hover()
    told = second.locator(".rs-say").inner_text()
    assert told == "result position 4 = source position 2"
    assert first.locator(".rs-say").inner_text() == "Result of shape (4, 5)."


@pytest.mark.parametrize("width", [320, 640])
def test_a_narrow_page_does_not_scroll_sideways(width, show):
    shown = show(chain().html(), width=width, height=800)
    for name in ("1. ", "2. pad", "All together"):
        shown.get_by_role("button", name=name).click()
        wide = "() => document.documentElement.scrollWidth - innerWidth"
        assert shown.evaluate(wide) <= 0


def test_large_arrays_are_told_by_their_ends(show):
    x = np.broadcast_to(np.uint8(0), (2**20, 2**20, 2**20))
    shown = show(rs.view(x).pad(5, "reflect").html())
    assert shown.locator("td").count() < 2000
    assert "more planes" in shown.locator(".rs-app").inner_text()
    cells(shown, "Result").last.hover()
    most = 2**20 + 9
    assert said(shown).startswith(
        f"result plane {most} row {most} column {most} = source plane {2**20 - 6} "
    )


CONTRAST = """() => {
  const shade = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (rgb) => rgb.map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const under = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const found = getComputedStyle(n).backgroundColor;
      if (found && !found.startsWith("rgba(0, 0, 0, 0")) return shade(found);
    }
    return [255, 255, 255];
  };
  const nodes = [...document.querySelectorAll(".rs-app *")].filter((n) =>
    n.checkVisibility() && !n.disabled && [...n.childNodes].some((c) =>
      c.nodeType === 3 && c.textContent.trim()));
  return nodes.map((n) => {
    const pair = [light(shade(getComputedStyle(n).color)), light(under(n))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    return [n.tagName + "." + n.className + " " + n.textContent.slice(0, 20), ratio];
  });
}"""
"""Each visible text and how much it stands out, by WCAG 2.1's contrast ratio."""

LEAST = 4.5
"""WCAG 2.1, success criterion 1.4.3."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(scheme, show):
    shown = show(chain().html())
    shown.emulate_media(color_scheme=scheme)
    for name in ("1. ", "All together"):
        shown.get_by_role("button", name=name).click()
        told = shown.evaluate(CONTRAST)
        assert len(told) > 20
        assert not [one for one in told if one[1] < LEAST]
    shown.get_by_role("button", name="2. pad").click()
    shown.get_by_label("after axis 0").fill("x")
    assert alert(shown)
    assert not [o for o in shown.evaluate(CONTRAST) if "error" in o[0] and o[1] < LEAST]


def test_print_shows_every_step_or_what_was_edited(show):
    shown = show(chain().html())
    static, app = shown.locator(".rs-static"), shown.locator(".rs-app")
    assert not static.is_visible()
    shown.emulate_media(media="print")
    assert (static.is_visible(), app.is_visible()) == (True, False)
    shown.emulate_media(media="screen")
    shown.get_by_label("shape of the first source").fill("4, 4")
    shown.emulate_media(media="print")
    assert (static.is_visible(), app.is_visible()) == (False, True)
    assert not shown.get_by_role("button", name="Next").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_site_that_chooses_its_theme_is_followed(theme, show):
    part = assets() + fragment([], padded().chain)
    shown = show(
        f'<!doctype html><meta charset=utf-8><body data-theme="{theme}">{part}'
    )
    paper = "n => getComputedStyle(n).backgroundColor"
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        found = shown.locator("section.restride").evaluate(paper)
        assert (
            found == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 28)"}[theme]
        )


WORDS_IN_TWO = """() => [...document.querySelectorAll('th, .mark')].filter((cell) => {
  const range = document.createRange();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!/^[\\w ]{1,14}$/.test(text.data)) continue;
    range.selectNodeContents(text);
    if (range.getClientRects().length > text.data.split(' ').length) return true;
  }
  return false;
}).length"""


@pytest.mark.parametrize("width", [500, 1200])
def test_a_report_breaks_no_operators_name(width, browser, tmp_path):
    pytest.importorskip("tflite")
    path = tmp_path / "report.html"
    model = ROOT / "tests" / "cases" / "models" / "movements.tflite"
    path.write_text(rs.check_model(model, "A2").html(), encoding="utf-8")
    shown = browser.new_page(viewport={"width": width, "height": 800})
    shown.goto(path.as_uri())
    assert shown.evaluate(WORDS_IN_TWO) == 0
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.close()
