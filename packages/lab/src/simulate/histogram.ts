/** Parts of each doubling: a value is known to 1.6 %. */
const PARTS = 64;
const LEAST_MS = 0.001;
const DOUBLINGS = 50;

/** Percentiles in constant memory: counts by size, in parts of doublings. */
export class Histogram {
  readonly #counts = new Float64Array(PARTS * DOUBLINGS);
  #total = 0;

  add(ms: number): void {
    this.#total += 1;
    const place = placeOf(ms);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  /** The value that this share of all values does not exceed. `undefined`: there are none. */
  quantile(share: number): number | undefined {
    let left = Math.ceil(share * this.#total);
    if (this.#total === 0) return undefined;
    let place = 0;
    for (; place < this.#counts.length - 1; place += 1) {
      left -= this.#counts[place] ?? 0;
      if (left <= 0) break;
    }
    return valueAt(place);
  }
}

/** By halving: a logarithm would differ between engines in its last bit. */
function placeOf(ms: number): number {
  let doubling = 0;
  let rest = ms / LEAST_MS;
  if (!(rest >= 1)) return 0;
  for (; rest >= 65_536 && doubling < DOUBLINGS; rest /= 65_536) doubling += 16;
  for (; rest >= 2 && doubling < DOUBLINGS; rest /= 2) doubling += 1;
  return Math.min(doubling * PARTS + Math.floor((rest - 1) * PARTS), PARTS * DOUBLINGS - 1);
}

/** The middle of the part. */
function valueAt(place: number): number {
  let size = LEAST_MS;
  for (let doubling = Math.floor(place / PARTS); doubling > 0; doubling -= 1) size *= 2;
  const ms = size * (1 + ((place % PARTS) + 0.5) / PARTS);
  return Number(ms.toPrecision(4));
}
