// Which positions of a long axis are drawn; the rule is elide.py's.

/** Positions that fill at most `places`, gaps included; null stands for a gap. */
function keptOf(extent, places, joints = []) {
  if (extent <= BigInt(places)) return range(extent);
  const last = extent - 1n;
  let chosen = new Set([0n, last]);
  let refused = 0;
  for (const position of wantedOf(extent, joints)) {
    const tried = new Set(chosen).add(position);
    if (placesOf(tried) <= places) {
      chosen = tried;
      refused = 0;
    } else {
      refused += 1;
      if (refused > places) break;
    }
  }
  return withGaps(ordered(chosen));
}

const ordered = (chosen) => [...chosen].sort((a, b) => (a < b ? -1 : Number(a > b)));

/** Positions by how much they tell: at the joints, then inwards from the ends. */
function* wantedOf(extent, joints) {
  for (const joint of joints) {
    if (joint > 0n && joint < extent) yield* [joint, joint - 1n];
  }
  for (let k = 1n; 2n * k < extent; k += 1n) yield* [k, extent - 1n - k];
}

function placesOf(chosen) {
  const order = ordered(chosen);
  return order.length + order.filter((k, r) => r > 0 && k - order[r - 1] > 1n).length;
}

function withGaps(order) {
  const made = [];
  order.forEach((here, r) => {
    const gap = r ? here - order[r - 1] : 1n;
    if (gap === 2n) made.push(here - 1n);
    else if (gap > 2n) made.push(null);
    made.push(here);
  });
  return made;
}
