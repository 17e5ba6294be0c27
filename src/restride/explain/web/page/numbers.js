// Whole numbers as restride has them: of any size, written and refused in its words.

/** What restride would refuse, with its kind of error and its words. */
class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

function refuse(kind, message) {
  throw new Refusal(kind, message);
}

const MAX_RANK = 64;
const MAX_ENTRIES = 129;
const MAX_BYTES = 2n ** 63n - 1n;
const MOST_BITS = 1024;
const MOST_DIGITS = 640;

const least = (...values) => values.reduce((a, b) => (b < a ? b : a));
const most = (...values) => values.reduce((a, b) => (b > a ? b : a));
const product = (values) => values.reduce((a, b) => a * b, 1n);
const sum = (values) => values.reduce((a, b) => a + b, 0n);
const absolute = (value) => (value < 0n ? -value : value);
const clamp = (value, low, high) => most(low, least(value, high));
const same = (a, b) => a.length === b.length && a.every((v, k) => v === b[k]);
const range = (count) => Array.from({ length: Number(count) }, (_, k) => BigInt(k));

/** Division rounded down, as Python's. */
function floorDiv(a, b) {
  const whole = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? whole - 1n : whole;
}

const modulo = (a, b) => a - floorDiv(a, b) * b;
const bit = (mask, k) => ((mask >> BigInt(k)) & 1n) === 1n;
const bits = (flags) => sum(flags.map((flag, k) => (flag ? 1n << BigInt(k) : 0n)));

/** A tuple as Python prints it. */
function tuple(values) {
  return `(${values.join(", ")}${values.length === 1 ? "," : ""})`;
}

/** Elements between neighbours along each axis of a row-major array. */
function rowMajor(shape) {
  const steps = shape.map(() => 1n);
  for (let k = shape.length - 2; k >= 0; k -= 1) steps[k] = steps[k + 1] * shape[k + 1];
  return steps;
}

function ravel(index, shape) {
  return index.reduce((flat, k, axis) => flat * shape[axis] + k, 0n);
}

function unravel(flat, shape) {
  const index = [];
  for (const n of [...shape].reverse()) {
    index.unshift(modulo(flat, n));
    flat = floorDiv(flat, n);
  }
  return index;
}

/** A number for a message: of very large ones only the size. */
function shown(value) {
  const digits = String(absolute(value));
  if (digits.length <= MOST_DIGITS) return String(value);
  return `about ${value < 0n ? "-" : ""}2**${absolute(value).toString(2).length - 1}`;
}

const bitLength = (value) => (value === 0n ? 0 : absolute(value).toString(2).length);

/** The number, unless it is too long for any array. */
function sized(value, name) {
  const length = bitLength(value);
  if (length > MOST_BITS) {
    refuse("BoundsError",
      `${name} is an integer of ${length} bits; no array is so large.`);
  }
  return value;
}

const sizedAll = (values, name) => values.map((v, k) => sized(v, `${name}[${k}]`));

function checkShape(shape, name) {
  sizedAll(shape, name);
  if (shape.length > MAX_RANK) {
    refuse("ShapeError",
      `${name} has ${shape.length} axes; at most ${MAX_RANK} allowed.`);
  }
  shape.forEach((n, axis) => {
    if (n < 0n) {
      refuse("ShapeError", `${name}[${axis}] = ${n}; an extent is 0 or more.`);
    }
  });
  return shape;
}

/** Refuse a result that no memory could hold. */
function checkSize(shape, name) {
  if (shape.length > MAX_RANK) {
    refuse("ShapeError",
      `${name}: the result would have ${shape.length} axes; at most ${MAX_RANK}.`);
  }
  if (product(shape.map((n) => n || 1n)) > MAX_BYTES) {
    refuse("ShapeError", `${name}: the result of shape ${tuple(shape)} has more than ` +
      "2**63 - 1 elements; make it smaller.");
  }
}

/** One whole number from what was typed. */
function readInteger(text, name) {
  const word = text.trim();
  if (!/^[+-]?\d{1,640}$/.test(word)) {
    const given = word.length > 40 ? `${word.slice(0, 37)}...` : word;
    refuse("DTypeError", word
      ? `${name} = '${given}' is not an integer; give an int.`
      : `${name} is empty; give an int.`);
  }
  return BigInt(word.replace(/^\+/, ""));
}

/** Whole numbers from what was typed, between commas or spaces. */
function readIntegers(text, name) {
  const words = text.replace(/[()[\]]/g, " ").split(/[\s,]+/).filter(Boolean);
  return words.map((word, k) => readInteger(word, `${name}[${k}]`));
}
