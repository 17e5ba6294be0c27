// One picture: the steps of a chain, each with its source, result, inputs and calls.

/** Numbers come as text, since JSON's numbers are not exact beyond 2**53. */
function revived(value) {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value === "string") return BigInt(value);
  const pairs = Object.entries(value).map(([name, held]) => [name, revived(held)]);
  return Object.fromEntries(pairs);
}

function revivedParams(params) {
  const { mode, fills, constant_values: pairs, ...numbers } = params;
  const made = revived(numbers);
  if (mode !== undefined) made.mode = mode;
  if (fills !== undefined) made.fills = fills;
  if (pairs !== undefined) made.constant_values = pairs.map((pair) => [...pair]);
  return made;
}

class Picture {
  /** `root` holds the static picture, and its data as JSON. */
  constructor(root) {
    this.root = root;
    const held = root.querySelector("script[type='application/json']");
    this.data = JSON.parse(held.textContent);
    this.reset(this.data.steps.length === 1 ? 0 : this.data.steps.length);
    root.querySelectorAll(":scope > .rs-static").forEach((part) => { part.hidden = true; });
    this.app = element("div", { class: "rs-app" });
    root.append(this.app);
    this.build();
  }

  /** The steps as they were given, and which is looked at; one past the last: all. */
  reset(at) {
    this.shape = revived(this.data.shape);
    this.steps = this.data.steps.map(({ label, op, params }) => (
      { label, op, params: revivedParams(params) }));
    this.at = at;
    this.refused = new Map();
    this.edited = false;
  }

  get isWhole() {
    return this.at === this.steps.length;
  }

  /** Every step on the result before it, until one is refused. */
  run() {
    const shapes = [this.shape];
    const stages = [];
    checkShape(this.shape, "shape");
    for (const [k, step] of this.steps.entries()) {
      try {
        stages.push(applied(step, shapes[k], this.data.dtype));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { shapes, stages, error, at: k };
      }
      shapes.push(stages[k].shape);
    }
    return { shapes, stages, error: null, at: null };
  }

  // ------------------------------------------------------------------ what is drawn

  build() {
    const say = element("p", { class: "rs-say", "aria-hidden": "true" });
    const live = element("p", { class: "rs-live", role: "status" });
    this.parts = {
      say,
      live,
      steps: element("nav", { class: "rs-steps", "aria-label": "Steps" }),
      form: element("form", { class: "rs-form", onsubmit: (e) => e.preventDefault() }),
      error: element("p", { class: "rs-error", role: "alert" }),
      grids: element("div", { class: "rs-grids" }),
      why: element("div", { class: "rs-why" }),
      told: element("details", { class: "rs-told" }),
      calls: element("section", { class: "rs-calls", "aria-label": "The call" }),
    };
    const { steps, form, error, grids, why, told, calls } = this.parts;
    this.app.replaceChildren(steps, form, error, grids, say, live, why, calls, told);
    this.show();
  }

  /** Everything anew, for the step that is looked at. */
  show() {
    const { form } = this.parts;
    const focused = document.activeElement;
    const held = form.contains(focused) ? focused.textContent : null;
    const { shapes } = this.runSafely();
    const step = this.steps[this.at];
    const draft = {
      refused: this.refused,
      changed: () => this.change(),
      rebuilt: () => { this.refused.clear(); this.change(); this.show(); },
    };
    form.replaceChildren(...this.sourceField());
    const inputs = step && formFor(step, draft, shapes[this.at] ?? []);
    if (inputs) form.append(inputs);
    else if (step) {
      const text = `${step.label}: shown, but not to be edited here.`;
      form.append(element("p", { class: "rs-note", text }));
    }
    form.append(button("As it was given", () => { this.reset(this.at); this.show(); }));
    // The button that was pressed is a new one now, and keeps the focus.
    const again = [...form.querySelectorAll("button")].find((b) => b.textContent === held);
    again?.focus();
    this.update();
  }

  sourceField() {
    const input = field("shape of the first source", this.shape.join(", "), (text) => {
      try {
        const shape = checkShape(readIntegers(text, "shape"), "shape");
        this.refused.delete("shape");
        this.shape = shape;
        input.removeAttribute("aria-invalid");
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refused.set("shape", error);
        input.setAttribute("aria-invalid", "true");
      }
      this.change();
    }, { class: "rs-wide" });
    return [element("label", {}, "source shape ", input), " "];
  }

  change() {
    this.edited = true;
    this.update();
  }

  runSafely() {
    try {
      return this.run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { shapes: [this.shape], stages: [], error, at: 0 };
    }
  }

  /** The result of what the inputs say now; inputs stay as they are. */
  update() {
    const found = this.runSafely();
    const { shapes, stages, at } = found;
    const typed = this.refused.values().next().value;
    const error = typed ?? found.error;
    this.drawSteps(shapes, at);
    const reached = stages.length > (this.isWhole ? this.steps.length - 1 : this.at);
    const blocked = typed ?? (reached ? null : error);
    const { error: alert, grids, why, told, calls } = this.parts;
    const where = !typed && blocked && at !== this.at ? `step ${at + 1}: ` : "";
    alert.textContent = blocked ? `${blocked.kind}: ${where}${blocked.message}` : "";
    alert.hidden = !blocked;
    grids.classList.toggle("rs-stale", Boolean(blocked));
    told.hidden = this.edited || !this.data.told;
    this.app.classList.toggle("rs-edited", this.edited);
    calls.hidden = Boolean(blocked);
    if (told.childElementCount === 0 && this.data.told) this.fillTold(told);
    grids.inert = Boolean(blocked);
    if (blocked) {
      why.replaceChildren();
      this.say("");
      return;
    }
    const source = this.isWhole ? this.shape : shapes[this.at];
    const stage = this.isWhole ? composed(stages, this.shape) : stages[this.at];
    const look = (text) => { this.parts.say.textContent = text; };
    grids.replaceChildren(...drawPair(stage, source, look));
    const reasons = this.isWhole ? null : reasonsFor(this.steps[this.at], source);
    why.replaceChildren(...(reasons ? [reasons] : []));
    this.say(`Result of shape ${tuple(stage.shape)}.`);
    this.drawCalls(source);
  }

  /** What changed, to be seen and to be spoken; a cell that has focus speaks itself. */
  say(text) {
    this.parts.say.textContent = text;
    this.parts.live.textContent = text;
  }

  fillTold(told) {
    told.append(element("summary", { text: "In words, as restride explains it" }),
      element("pre", { text: this.data.told }));
  }

  drawSteps(shapes, refusedAt) {
    const { steps } = this.parts;
    if (this.steps.length < 2) return;
    const go = (to) => { this.at = to; this.show(); };
    const last = this.steps.length;
    const focused = document.activeElement;
    const had = steps.contains(focused) ? focused.dataset.go : null;
    const buttons = this.steps.map(({ label }, k) => button(`${k + 1}. ${label}`,
      () => go(k), { "data-go": k, "aria-current": k === this.at ? "step" : null,
        class: k === refusedAt ? "rs-refused" : null }));
    buttons.push(button("All together", () => go(last),
      { "data-go": last, "aria-current": this.isWhole ? "step" : null }));
    const way = (label, by, isEnd) => button(label, () => go(this.at + by),
      { "data-go": label, disabled: isEnd ? "" : null });
    steps.replaceChildren(way("Previous", -1, this.at === 0), way("Next", 1, this.isWhole),
      element("ol", {}, ...buttons.map((b) => element("li", {}, b))));
    const again = had && steps.querySelector(`[data-go="${had}"]`);
    if (again) (again.disabled ? steps.querySelector("[aria-current]") : again).focus();
  }

  // ------------------------------------------------------------------ the calls

  drawCalls(shape) {
    const { calls } = this.parts;
    const steps = this.isWhole ? this.steps : [this.steps[this.at]];
    calls.hidden = !steps.length;
    const without = steps.find(({ op }) => !FORMS[op]);
    if (without) {
      const text = "This page writes calls of slices, pads and as_strided; " +
        `${without.label} is none of them.`;
      calls.replaceChildren(element("p", { class: "rs-note", text }));
      return;
    }
    if (!this.callBox) this.callBox = this.makeCalls();
    calls.replaceChildren(this.callBox.node);
    this.callBox.tell(steps, shape);
  }

  makeCalls() {
    const code = element("pre", { class: "rs-code", tabindex: 0, "aria-label": "code" });
    const notes = element("p", { class: "rs-note" });
    const chosen = element("select", { "aria-label": "dialect", onchange: () => tell() },
      ...Object.entries(DIALECTS)
        .map(([value, text]) => element("option", { value, text })));
    const copy = button("Copy", async () => {
      this.say(await copied(code) ? `Copied the call in ${DIALECTS[chosen.value]}.`
        : "Selected; press Ctrl+C to copy.");
    });
    let now = null;
    const tell = () => {
      const { steps, shape } = now;
      const made = written(chosen.value, steps, shape, this.data.dtype);
      const { text, notes: told, refused } = made;
      code.textContent = text ?? refused;
      code.classList.toggle("rs-refused", text === null);
      copy.disabled = text === null;
      notes.textContent = (told ?? []).join(" ");
    };
    const label = element("label", {}, "The call in ", chosen);
    const node = element("div", {}, label, " ", copy, code, notes);
    return { node, tell: (steps, shape) => { now = { steps, shape }; tell(); } };
  }
}

/** The text on the clipboard, or at least selected. */
async function copied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    const selection = getSelection();
    selection.selectAllChildren(node);
    return document.execCommand("copy");
  }
}

/** Every picture of the page that is not alive yet. */
function mountAll(scope = document) {
  for (const root of scope.querySelectorAll("[data-restride-picture]:not([data-alive])")) {
    root.dataset.alive = "";
    new Picture(root);
  }
}
