import { Draws } from '../chance/draws.ts';
import { samplerOf } from '../chance/spread.ts';
import type { Arrivals } from '../scene/scene.ts';
import { STREAMS } from './dependency.ts';

/** The times of arrivals, one after the other. */
export function* arrivalTimes(arrivals: Arrivals, seed: number): Generator<number, void, void> {
  if (arrivals.kind === 'times') yield* arrivals.timesMs;
  else if (arrivals.kind === 'at_once') {
    for (let n = 0; n < arrivals.count; n += 1) yield 0;
  } else {
    const { perSecond, forMs, spacing } = arrivals;
    const gapMs = 1_000 / perSecond;
    const draws = new Draws(seed, STREAMS.arrivals);
    const random = samplerOf({ kind: 'exponential', meanMs: gapMs });
    const even = (n: number) => n * gapMs;
    let atMs = 0;
    for (let n = 1; ; n += 1) {
      atMs = spacing === 'even' ? even(n) : atMs + random(draws.next());
      if (atMs > forMs) return;
      yield atMs;
    }
  }
}
