// An array as tables of cells, one per plane: drawn, named, and walked by arrow keys.

const MOST_COLUMNS = 16;
const MOST_ROWS = 12;
const MOST_PLANES = 4;
const HUES = 6n;
const SHADES = 3n;

/** An index in words: position 2, row 0 column 2, plane 1 row 0 column 2. */
function place(index) {
  const rank = index.length;
  if (rank === 0) return "the one element";
  if (rank === 1) return `position ${index[0]}`;
  const plane = rank > 2 ? `plane ${index.slice(0, -2).join(", ")} ` : "";
  return `${plane}row ${index[rank - 2]} column ${index[rank - 1]}`;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The class of a source element's colour; the rule is palette.py's. */
function tint(flat, shape) {
  if (shape.length < 2) {
    return `rs-tint-${modulo(flat, HUES)}-${modulo(floorDiv(flat, HUES), SHADES)}`;
  }
  const width = shape[shape.length - 1] || 1n;
  const shade = (modulo(flat, width) * SHADES) / width;
  return `rs-tint-${modulo(floorDiv(flat, width), HUES)}-${shade}`;
}

/** Which planes are drawn, by their place on the leading axes. */
function planesOf(lead, within) {
  const ranges = lead.map((n, axis) => within[axis] ?? [0n, n]);
  const inside = ranges.map(([low, high]) => high - low);
  if (inside.some((n) => n < 1n)) return planesOf(lead, []);
  return keptOf(product(inside), MOST_PLANES)
    .filter((flat) => flat !== null)
    .map((flat) => unravel(flat, inside).map((k, axis) => ranges[axis][0] + k));
}

class Grid {
  /**
   * `describe(index)` gives {text, label, key, constant, tint} of a cell; cells of one
   * key belong together.  `onLook(grid, cell)` is called when a cell is pointed at.
   * `joints` are positions per axis at which something begins; `within` is, per axis,
   * the range that is read: where there are many planes, others are not drawn.
   */
  constructor(title, shape, describe, onLook, joints = [], within = []) {
    this.within = within;
    this.title = title;
    this.shape = shape;
    this.joints = joints;
    this.describe = describe;
    this.onLook = onLook;
    this.cells = [];
    this.lines = [];
    this.figure = element("figure", { class: "rs-figure" });
    this.figure.append(element("figcaption", {}, element("strong", { text: title }),
      ` ${tuple(shape)}`));
    this.figure.append(...this.planes());
    this.figure.addEventListener("keydown", (event) => this.walk(event));
    if (this.cells.length) this.cells[0].node.tabIndex = 0;
  }

  planes() {
    if (this.shape.includes(0n)) {
      return [element("p", { class: "rs-none", text: "no elements" })];
    }
    const lead = this.shape.slice(0, -2);
    const total = product(lead);
    const made = planesOf(lead, total > MOST_PLANES ? this.within : [])
      .map((at) => this.plane(at));
    const hidden = total - BigInt(made.length);
    const text = `and ${hidden} more planes`;
    if (hidden) made.push(element("p", { class: "rs-note", text }));
    return made;
  }

  /** Positions along a side of a plane: -1 for columns, -2 for rows. */
  side(which, places) {
    const axis = this.shape.length + which;
    return axis < 0 ? [null] : keptOf(this.shape[axis], places, this.joints[axis]);
  }

  plane(lead) {
    const rank = this.shape.length;
    const rows = this.side(-2, lead.length ? MOST_ROWS / 2 : MOST_ROWS);
    const columns = this.side(-1, MOST_COLUMNS);
    const name = lead.length ? `[${[...lead, ":", ":"].join(", ")}]` : "";
    const table = element("table", {
      role: "grid",
      "aria-label": `${this.title} ${tuple(this.shape)} ${name}`.trim(),
      "aria-rowcount": rank > 1 ? this.shape[rank - 2] : 1,
      "aria-colcount": rank ? this.shape[rank - 1] : 1,
    });
    if (rank) table.append(this.heads(columns, rank > 1));
    table.append(...rows.map((row) => this.row(lead, row, columns)));
    const caption = name ? [element("div", { class: "rs-plane-name", text: name })] : [];
    return element("div", { class: "rs-plane" }, ...caption, table);
  }

  /** The numbers of the columns; a cell's own label speaks of them too. */
  heads(columns, hasRows) {
    const cells = columns.map((k) => element("th", { text: k === null ? "⋯" : k }));
    if (hasRows) cells.unshift(element("th"));
    return element("tr", { "aria-hidden": "true" }, ...cells);
  }

  row(lead, row, columns) {
    const isRow = this.shape.length > 1;
    const made = element("tr", { role: "row" });
    const text = row === null ? "⋮" : row;
    if (isRow) made.append(element("th", { "aria-hidden": "true", text }));
    if (isRow && row === null) {
      made.setAttribute("aria-hidden", "true");
      return made;
    }
    made.setAttribute("aria-rowindex", (row ?? 0n) + 1n);
    const line = [];
    for (const column of columns) made.append(this.cell(lead, row, column, line));
    this.lines.push(line);
    return made;
  }

  cell(lead, row, column, line) {
    if (column === null && this.shape.length) {
      return element("td", { class: "rs-gap", text: "⋯", "aria-hidden": "true" });
    }
    const index = [...lead, row, column].filter((k) => k !== null);
    const told = this.describe(index);
    const kinds = [told.tint, told.constant ? "rs-constant" : "",
      told.unread && !told.tint ? "rs-unread" : ""].filter(Boolean);
    const node = element("td", {
      role: "gridcell", tabindex: -1, "aria-label": told.label, class: kinds.join(" "),
      "aria-colindex": (column ?? 0n) + 1n, text: told.text,
    });
    const cell = { node, index, key: told.key, line: this.lines.length };
    cell.column = line.length;
    node.addEventListener("mouseenter", () => this.onLook(this, cell));
    node.addEventListener("focus", () => this.onLook(this, cell));
    line.push(cell);
    this.cells.push(cell);
    return node;
  }

  /** Light every cell of a key; the others as they were. */
  light(key, chosen = null) {
    for (const cell of this.cells) {
      cell.node.classList.toggle("rs-lit", key !== null && cell.key === key);
      cell.node.classList.toggle("rs-here", cell === chosen);
    }
  }

  /** Arrow keys, Home, End and the Page keys move the one cell that Tab reaches. */
  walk(event) {
    const from = this.cells.find(({ node }) => node === event.target);
    const to = from && this.next(from, event);
    if (!to) return;
    event.preventDefault();
    this.cells.forEach(({ node }) => { node.tabIndex = -1; });
    to.node.tabIndex = 0;
    to.node.focus();
  }

  next({ line, column }, { key, ctrlKey }) {
    const last = this.lines.length - 1;
    const at = (k) => {
      const there = this.lines[Math.max(0, Math.min(k, last))];
      return there[Math.min(column, there.length - 1)];
    };
    const here = this.lines[line];
    const page = this.side(-2, this.shape.length > 2 ? MOST_ROWS / 2 : MOST_ROWS)
      .filter((k) => k !== null).length || 1;
    switch (key) {
      case "ArrowLeft": return here[Math.max(column - 1, 0)];
      case "ArrowRight": return here[Math.min(column + 1, here.length - 1)];
      case "ArrowUp": return at(line - 1);
      case "ArrowDown": return at(line + 1);
      case "PageUp": return at(line - page);
      case "PageDown": return at(line + page);
      case "Home": return ctrlKey ? this.lines[0][0] : here[0];
      case "End": return ctrlKey ? this.lines[last].at(-1) : here.at(-1);
      default: return null;
    }
  }
}

/** Source and result of one step side by side, each cell tied to its other side. */
function drawPair(step, shape, say) {
  const reads = new Map();
  // Where not all of the result is drawn, who reads a source cell is not all known.
  let hidden = false;
  const result = new Grid("Result", step.shape, (index) => {
    const found = step.read(index);
    const here = `result ${place(index)}`;
    if (found.constant) {
      const { text } = found.constant;
      const isSrc = found.constant.kind === "src";
      const what = isSrc ? `src element ${text.slice(1)}` : `constant ${text}`;
      return { text, key: what, constant: true, tint: "", label: `${here} = ${what}` };
    }
    const key = String(found.flat);
    reads.set(key, [...(reads.get(key) ?? []), index]);
    return { text: key, key, tint: tint(found.flat, shape),
      label: `${here} = source ${place(unravel(found.flat, shape))}` };
  }, look, step.joints);
  hidden = BigInt(result.cells.length) < product(step.shape);
  const source = new Grid("Source", shape, (index) => {
    const flat = ravel(index, shape);
    const at = reads.get(String(flat)) ?? [];
    return { text: String(flat), key: String(flat), unread: !at.length,
      tint: at.length || hidden ? tint(flat, shape) : "",
      label: `source ${place(index)}, ${goesTo(at, hidden)}` };
  }, look, step.sourceJoints, step.sourceJoints);

  function look(grid, cell) {
    source.light(cell.key, grid === source ? cell : null);
    result.light(cell.key, grid === result ? cell : null);
    say(cell.node.getAttribute("aria-label"));
  }
  return [source.figure, result.figure];
}

/** Where a source element stands in what is drawn of the result. */
function goesTo(places, hidden) {
  if (!places.length) return hidden ? "not read by what is drawn" : "not read";
  const named = places.slice(0, 3).map((index) => `result ${place(index)}`).join("; ");
  const more = places.length > 3 ? `; and ${places.length - 3} more` : "";
  return `read by ${named}${more}`;
}
