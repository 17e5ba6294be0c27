"""What people do with a page: point, walk by keys, step, edit, copy."""

from __future__ import annotations

import numpy as np
import pytest
from pages import alert, cells, chain, lit, padded, said, texts

import restride as rs
from restride.translate import Call, translate


def test_pointing_at_a_result_cell_shows_its_source(show):
    shown = show(padded().html())
    cells(shown, "Result").nth(6).hover()
    assert lit(shown, "Source") == ["1"]
    assert said(shown) == "result row 1 column 1 = source row 0 column 1"
    cells(shown, "Result").nth(4).hover()
    assert lit(shown, "Source") == []
    assert said(shown) == "result row 0 column 4 = constant 7"


def test_pointing_at_a_source_cell_lights_every_result_cell(show):
    shown = show(rs.view(np.arange(3)).pad(2, "edge").html())
    cells(shown, "Source").nth(0).hover()
    assert lit(shown, "Result") == ["0", "0", "0"]
    assert said(shown).startswith("source position 0, read by result position 0; ")


def test_a_constant_is_hatched_and_says_so(show):
    first = cells(show(padded().html()), "Result").nth(0)
    assert "gradient" in first.evaluate("n => getComputedStyle(n).backgroundImage")
    assert first.get_attribute("aria-label") == "result row 0 column 0 = constant 7"


def test_keys_walk_the_cells_and_the_status_speaks(show):
    shown = show(padded().html())
    result = cells(shown, "Result")
    assert [c.get_attribute("tabindex") for c in result.all()].count("0") == 1
    result.nth(0).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"):
        shown.keyboard.press(key)
    assert said(shown) == "result row 2 column 0 = source row 1 column 0"
    shown.keyboard.press("End")
    assert said(shown) == "result row 2 column 4 = constant 7"
    shown.keyboard.press("Control+Home")
    assert said(shown) == "result row 0 column 0 = constant 7"
    shown.keyboard.press("ArrowUp")
    assert said(shown) == "result row 0 column 0 = constant 7"
    outline = "() => getComputedStyle(document.activeElement).outlineWidth"
    assert float(shown.evaluate(outline).removesuffix("px")) >= 2


def test_tab_reaches_every_control_once_and_both_grids(show):
    shown = show(padded().html())
    reached = []
    for _ in range(30):
        shown.keyboard.press("Tab")
        name = "n => n.getAttribute('aria-label') || n.textContent || n.tagName"
        reached.append(shown.evaluate(f"({name})(document.activeElement)"))
        if reached[-1] == reached[0] and len(reached) > 1:
            break
    text = "\n".join(reached)
    assert "before axis 0" in text
    assert "source row 0 column 0" in text
    assert "result row 0 column 0" in text
    assert "Copy" in text


def test_the_tree_that_screen_readers_get(show):
    tree = show(padded().html()).locator("main").aria_snapshot()
    for expected in (
        'heading "restride: (3, 4) to (4, 5)" [level=1]',
        'textbox "before axis 0": "1"',
        'combobox "mode"',
        'grid "Result (4, 5)"',
        'gridcell "result row 1 column 0 = source row 0 column 0"',
        'gridcell "source row 0 column 0, read by result row 1 column 0"',
        'button "Copy"',
        'combobox "dialect"',
    ):
        assert expected in tree, tree
    assert 'table "Source' not in tree, "the static picture must not be read twice"


def test_steps_go_back_and_forth(show):
    shown = show(chain().html())
    step = shown.locator("[aria-current=step]")
    assert step.inner_text() == "All together"
    shown.get_by_role("button", name="Previous").click()
    assert step.inner_text() == "3. transpose()"
    shown.get_by_role("button", name="Previous").click()
    assert step.inner_text() == "2. pad(((0, 0), (1, 2)), 'reflect')"
    assert "Result (3, 7)" in shown.locator(".rs-app").aria_snapshot()
    shown.get_by_role("button", name="Next").click()
    assert cells(shown, "Result").first.inner_text() == "0"
    shown.get_by_role("button", name="1. ").click()
    assert shown.get_by_role("button", name="Previous").is_disabled()


def test_an_edit_shows_at_once_and_runs_through_the_chain(show):
    shown = show(chain().html())
    shown.get_by_role("button", name="2. pad").click()
    shown.get_by_label("mode").select_option("wrap")
    shown.get_by_label("before axis 1").fill("3")
    x, widths = np.arange(12).reshape(3, 4), [[0, 0], [3, 2]]
    assert texts(shown) == [str(v) for v in np.pad(x, widths, "wrap").flat]
    shown.get_by_role("button", name="All together").click()
    assert texts(shown) == [str(v) for v in np.pad(x[:, ::-1], widths, "wrap").T.flat]
    shown.get_by_role("button", name="As it was given").click()
    assert texts(shown) == [str(int(v)) for v in chain().copy().flat]


def test_mask_bits_are_boxes_under_their_entries(show):
    x = rs.view(np.arange(20).reshape(4, 5))
    shown = show(x.strided_slice([1, 3], [3, 0], [1, -1], 0, 2).html())
    shown.get_by_label("shrink_axis_mask bit 0").check()
    expected = x.strided_slice([1, 3], [3, 0], [1, -1], 0, 2, 0, 0, 1).copy()
    assert texts(shown) == [str(v) for v in expected]
    shown.get_by_label("end_mask bit 1").uncheck()
    assert texts(shown) == ["8", "7", "6"]
    shown.get_by_role("button", name="Add an entry").click()
    told = "strided_slice: 3 of the entries need an axis and shape (4, 5) has 2; "
    assert alert(shown) == f"ShapeError: {told}leave out 1."


def test_a_button_that_rebuilds_the_inputs_keeps_the_focus(show):
    shown = show(rs.view(np.arange(9).reshape(3, 3)).as_strided((2, 2), (2, 3)).html())
    for name in ("Add an axis", "Remove the last axis", "As it was given"):
        shown.get_by_role("button", name=name).focus()
        shown.keyboard.press("Enter")
        held = "() => document.activeElement.textContent"
        assert shown.evaluate(held) == name


def test_changes_are_spoken_and_walks_are_not_spoken_twice(show):
    shown = show(padded().html())
    live = shown.get_by_role("status")
    shown.get_by_label("after axis 0").fill("2")
    assert live.inner_text() == "Result of shape (6, 5)."
    cells(shown, "Result").nth(0).focus()
    assert live.inner_text() == "Result of shape (6, 5)."
    shown.get_by_label("after axis 0").fill("-9")
    assert alert(shown).startswith("ShapeError: pad: axis 0: (1, -9) on an extent of 3")


def test_a_refusal_has_the_words_of_restride_and_goes_away(show):
    shown = show(rs.view(np.arange(9).reshape(3, 3)).as_strided((2, 2), (2, 3)).html())
    shown.get_by_label("offset").fill("5")
    with pytest.raises(rs.BoundsError) as refused:
        rs.as_strided(np.arange(9), (2, 2), (2, 3), 5)
    assert alert(shown) == f"BoundsError: {refused.value}"
    shown.get_by_label("offset").fill("two")
    assert alert(shown) == (
        "DTypeError: as_strided: offset = 'two' is not an integer; give an int."
    )
    assert shown.get_by_label("offset").get_attribute("aria-invalid") == "true"
    shown.get_by_label("offset").fill("3")
    assert not shown.locator(".rs-error").is_visible()
    assert texts(shown) == ["3", "6", "5", "8"]


def test_a_step_after_a_refused_one_names_it(show):
    shown = show(chain().html())
    shown.get_by_role("button", name="1. ").click()
    shown.get_by_label("strides of entry 1").fill("0")
    shown.get_by_role("button", name="Next").click()
    assert alert(shown).startswith("ShapeError: step 1: strided_slice: strides[1] = 0")


def test_the_source_shape_can_be_changed(show):
    shown = show(rs.view(np.arange(3)).pad(1, "wrap").html())
    shown.get_by_label("shape of the first source").fill("5")
    assert texts(shown) == list("4012340")
    shown.get_by_label("shape of the first source").fill("0")
    assert "mode 'wrap' has no element to repeat" in alert(shown)


def test_the_call_is_copied_in_the_words_of_a_dialect(context, show):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = show(rs.view(np.zeros((3, 4), "float32")).pad(1, "constant", 1.5).html())
    call = Call("restride", "pad", {"paddings": [[1, 1]], "constant_values": 1.5})
    for dialect in ("restride", "numpy", "tensorflow", "pytorch", "onnx", "cann"):
        shown.get_by_label("dialect").select_option(dialect)
        shown.get_by_role("button", name="Copy").click()
        shown.locator(".rs-say", has_text="Copied the call in").wait_for()
        expected = translate(call, dialect, (3, 4), dtype="float32").text()
        assert shown.evaluate("() => navigator.clipboard.readText()") == expected
    shown.get_by_label("dialect").select_option("atb")
    assert (
        "AsStridedOperation reads by even strides"
        in shown.locator(".rs-code").inner_text()
    )
    assert shown.get_by_role("button", name="Copy").is_disabled()


TYPED = {
    "-0": "0",
    "-0.0": "-0.0",
    ".5": "0.5",
    "1e22": "1e+22",
    "1e-7": "1e-07",
    "0.0001": "0.0001",
    "1234567890123456.5": "1234567890123456.5",
    "123456789012345680.0": "1.2345678901234568e+17",
    "NaN": "nan",
    "-inf": "-inf",
    "True": "True",
}


def test_what_is_typed_as_a_constant_is_what_python_prints(show):
    shown = show(rs.view(np.zeros((2, 2))).pad(1).html())
    constant = shown.get_by_label("constant", exact=True)
    for given, expected in TYPED.items():
        constant.fill(given)
        assert cells(shown, "Result").first.inner_text() == expected
    constant.fill("7;")
    assert "DTypeError: pad: constant_values = '7;' is no number" in alert(shown)


def test_a_constant_that_the_dtype_cannot_hold_is_refused(show):
    shown = show(rs.view(np.zeros(2, np.uint8)).pad(1, "constant", 7).html())
    shown.get_by_label("constant", exact=True).fill("300")
    with pytest.raises(rs.DTypeError) as refused:
        rs.pad(np.zeros(2, np.uint8), 1, constant_values=300)
    assert alert(shown) == f"DTypeError: {refused.value}"
    shown.get_by_label("mode").select_option("edge")
    assert not shown.locator(".rs-error").is_visible()


def test_a_chain_without_calls_says_which_step_has_none(show):
    shown = show(chain().html())
    section = shown.get_by_role("region", name="The call")
    told = "This page writes calls of slices, pads and as_strided; "
    assert section.inner_text() == told + "transpose() is none of them."
    shown.get_by_role("button", name="2. pad").click()
    assert section.inner_text().startswith("The call in")
