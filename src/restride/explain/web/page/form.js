// The parameters of a step as inputs; each change gives new parameters or a refusal.

/** One labelled input; `changed` gets its text. */
function field(label, value, changed, attributes = {}) {
  const input = element("input", {
    type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false",
    maxlength: 660, "aria-label": label, ...attributes,
    oninput: () => changed(input.value, input),
  });
  input.value = value;
  return input;
}

function button(label, pressed, attributes = {}) {
  const always = { type: "button", text: label, onclick: pressed };
  return element("button", { ...always, ...attributes });
}

/** A table of inputs: a header per column, a labelled row per parameter. */
function inputTable(columns, rows) {
  const head = element("tr", {}, element("td"),
    ...columns.map((text) => element("th", { scope: "col", text })));
  const body = rows.map(([name, cells, note = ""]) => element("tr", {},
    element("th", { scope: "row", text: name }),
    ...cells.map((cell) => element("td", {}, cell)),
    element("td", { class: "rs-note", text: note })));
  return element("table", { class: "rs-inputs" }, element("thead", {}, head),
    element("tbody", {}, ...body));
}

/** Text to a number kept in `draft`; what cannot be read is noted as refused. */
function number(draft, refused, label, name, value, keep) {
  return field(label, String(value), (text, input) => {
    try {
      keep(readInteger(text, name));
      refused.delete(name);
      input.removeAttribute("aria-invalid");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.set(name, error);
      input.setAttribute("aria-invalid", "true");
    }
    draft.changed();
  });
}

function sliceForm(params, draft) {
  const { refused } = draft;
  const columns = params.begin.map((_, k) => `entry ${k}`);
  const lists = LISTS.map((list) => [list, params[list].map((value, k) => number(
    draft, refused, `${list} of entry ${k}`, `${list}[${k}]`, value,
    (read) => { params[list][k] = read; },
  ))]);
  const masks = MASKS.map((mask) => {
    const note = element("output");
    const told = () => { note.textContent = `= ${params[mask]}`; };
    const boxes = params.begin.map((_, k) => element("input", {
      type: "checkbox", "aria-label": `${mask} bit ${k}`,
      checked: bit(params[mask], k) ? "" : null,
      onchange: () => { params[mask] ^= 1n << BigInt(k); told(); draft.changed(); },
    }));
    told();
    return [mask, [...boxes, note]];
  });
  const add = button("Add an entry", () => {
    LISTS.forEach((list) => params[list].push(list === "strides" ? 1n : 0n));
    const last = BigInt(params.begin.length - 1);
    for (const mask of MASKS) params[mask] &= (1n << last) - 1n;
    params.begin_mask |= 1n << last;
    params.end_mask |= 1n << last;
    draft.rebuilt();
  });
  const drop = button("Remove the last entry", () => {
    LISTS.forEach((list) => params[list].pop());
    draft.rebuilt();
  }, { disabled: params.begin.length ? null : "" });
  return [inputTable(columns, [...lists, ...masks]), add, " ", drop];
}

/** A constant as typed: an integer, a number, nan, inf, True or False. */
function readConstant(text) {
  const word = text.trim();
  if (/^[+-]?\d{1,640}$/.test(word)) {
    return { kind: "int", text: String(BigInt(word.replace("+", ""))) };
  }
  if (/^(True|False)$/.test(word)) return { kind: "bool", text: word };
  const named = { nan: NaN, inf: Infinity, "-inf": -Infinity }[word.toLowerCase()];
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word);
  const value = named ?? (isNumber ? Number(word) : null);
  if (value === null) {
    refuse("DTypeError", `pad: constant_values = '${word.slice(0, 40)}' is no number; ` +
      "write one such as 0, -1.5, nan or inf.");
  }
  return { kind: "float", text: pythonFloat(value) };
}

/** A float as Python's repr writes it. */
function pythonFloat(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const sign = Object.is(value, -0) || value < 0 ? "-" : "";
  if (value === 0) return `${sign}0.0`;
  const [mantissa, power] = Math.abs(value).toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const digits = mantissa.replace(".", "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

function padForm(params, draft, shape) {
  const { refused } = draft;
  const sides = ["before", "after"];
  const rows = params.paddings.map((pair, axis) => [`axis ${axis}`,
    pair.map((value, side) => number(
      draft, refused, `${sides[side]} axis ${axis}`, `paddings[${axis}][${side}]`, value,
      (read) => { params.paddings[axis][side] = read; },
    )), shape[axis] === undefined ? "" : `extent ${shape[axis]}`]);
  const constant = element("span", {}, ...constantFields(params, draft));
  const chosen = () => {
    params.mode = mode.value;
    constant.hidden = mode.value !== "constant";
  };
  const mode = element("select", {
    "aria-label": "mode",
    onchange: () => { chosen(); draft.changed(); },
  }, ...MODES.map((name) => element("option", { value: name, text: name })));
  mode.value = params.mode;
  chosen();
  return [inputTable(sides, rows), element("label", {}, "mode ", mode), " ", constant];
}

/** One input for the constant, or two per axis where they are not all the same. */
function constantFields(params, draft) {
  const pairs = params.constant_values;
  const fills = pairs.flat();
  const alike = fills.every((fill) => sameFill(fill, fills[0]));
  const one = (label, name, fill, keep) => field(label, fill.text, (text, input) => {
    try {
      keep(readConstant(text));
      draft.refused.delete(name);
      input.removeAttribute("aria-invalid");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      draft.refused.set(name, error);
      input.setAttribute("aria-invalid", "true");
    }
    draft.changed();
  }, { inputmode: "text" });
  if (alike) {
    const fill = fills[0] ?? { kind: "int", text: "0" };
    const input = one("constant", "constant", fill, (read) => {
      params.constant_values = params.paddings.map(() => [read, read]);
    });
    return [element("label", {}, "constant ", input)];
  }
  return [inputTable(["constant before", "constant after"], pairs.map((pair, axis) => [
    `axis ${axis}`, pair.map((fill, side) => one(
      `constant ${side ? "after" : "before"} axis ${axis}`, `constant ${axis} ${side}`,
      fill, (read) => { pair[side] = read; },
    ))]))];
}

function stridedForm(params, draft) {
  const { refused } = draft;
  const columns = params.size.map((_, r) => `axis ${r}`);
  const one = (list) => (value, r) => number(
    draft, refused, `${list} of axis ${r}`, `as_strided: ${list}[${r}]`, value,
    (read) => { params[list][r] = read; },
  );
  const rows = ["size", "stride"].map((list) => [list, params[list].map(one(list))]);
  const offset = number(draft, refused, "offset", "as_strided: offset", params.offset,
    (read) => { params.offset = read; });
  const add = button("Add an axis", () => {
    params.size.push(1n);
    params.stride.push(1n);
    draft.rebuilt();
  });
  const drop = button("Remove the last axis", () => {
    params.size.pop();
    params.stride.pop();
    draft.rebuilt();
  }, { disabled: params.size.length ? null : "" });
  const label = element("label", {}, "offset ", offset);
  return [inputTable(columns, rows), label, " ", add, " ", drop];
}

const FORMS = { strided_slice: sliceForm, pad: padForm, as_strided: stridedForm };

/**
 * The inputs of a step, or null where it has none.
 * `draft` is {refused: Map, changed(), rebuilt()}.
 */
function formFor(step, draft, shape) {
  const make = FORMS[step.op];
  if (!make) return null;
  return element("fieldset", {}, element("legend", { text: "Parameters" }),
    ...make(step.params, draft, shape));
}
