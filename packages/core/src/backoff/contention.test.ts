import { seededRandom } from '@redrive/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { sessionRandom } from '../random/session-random.ts';
import {
  type BackoffShape,
  drawDelayMs,
  type JitterShape,
  jitterRange,
  nominalDelayMs,
} from './delay.ts';

// N clients each want to write one row once. A write goes through only if nobody else wrote since the client read the
// row; who comes too late backs off, reads again and tries again. AWS published this experiment, and with it the kinds of
// jitter; having its figures come out shows that ours are the ones people mean.

const SEEDS = 60;
const NETWORK_MS = { mean: 10, deviation: 2 };

type Shape = BackoffShape & JitterShape;
const exponential: Shape = {
  backoff: 'exponential',
  // The experiment's first wait is twice its base of 5.
  baseDelayMs: 10,
  maxDelayMs: 2_000,
  multiplier: 2,
  immediateFirstRetry: false,
  jitter: 'none',
  jitterAmount: 1,
};

const shapes = {
  'no back-off': { ...exponential, backoff: 'immediate' },
  'exponential, no jitter': exponential,
  equal: { ...exponential, jitter: 'equal' },
  full: { ...exponential, jitter: 'full' },
  decorrelated: { ...exponential, jitter: 'decorrelated', baseDelayMs: 5 },
} as const satisfies Record<string, Shape>;

interface Contention {
  /** When the last client knew that its write went through. */
  readonly allDoneMs: number;
  /** When half of the clients knew. */
  readonly medianMs: number;
  /** Writes that were tried. */
  readonly calls: number;
}

interface Row extends Contention {
  readonly clients: number;
  readonly policy: keyof typeof shapes;
  /** How far from it ours may be. */
  readonly within: number;
}

const row = (
  clients: number,
  policy: keyof typeof shapes,
  [allDoneMs, medianMs, calls]: readonly [number, number, number],
  within = 0.1,
): Row => ({ clients, policy, allDoneMs, medianMs, calls, within });

// What AWS's simulator gives, averaged over 60 seeds. Its decorrelated form cuts at the cap after drawing and so piles
// up there, where ours stays spread: that row is printed beside, not held to a tenth.
const published: readonly Row[] = [
  row(50, 'no back-off', [1_147, 540, 692]),
  row(50, 'exponential, no jitter', [36_518, 9_504, 627]),
  row(50, 'equal', [4_234, 973, 348]),
  row(50, 'full', [2_849, 619, 332]),
  row(50, 'decorrelated', [2_258, 590, 374], Infinity),
  row(100, 'no back-off', [2_033, 949, 2_426]),
  row(100, 'exponential, no jitter', [63_447, 21_815, 1_867]),
  row(100, 'equal', [6_653, 1_946, 812]),
  row(100, 'full', [4_822, 1_181, 796]),
  row(100, 'decorrelated', [4_541, 1_065, 1_000], Infinity),
];

/** What is on its way to the server: a read, or a write that is good for one version of the row. */
interface Client {
  id: string;
  arrivesMs: number;
  seenVersion: number | undefined;
  failures: number;
  lastDelayMs: number;
}

function contend(shape: Shape, count: number, seed: number): Contention {
  const normal = normalNumbers(seed);
  const networkMs = () => Math.abs(NETWORK_MS.mean + NETWORK_MS.deviation * normal());
  const contending: Client[] = Array.from({ length: count }, (_, n) => ({
    id: `${seed}/${n}`,
    arrivesMs: networkMs(),
    seenVersion: undefined,
    failures: 0,
    lastDelayMs: 0,
  }));
  const doneMs: number[] = [];
  let version = 0;
  let calls = 0;

  for (let client = earliest(contending); client !== undefined; client = earliest(contending)) {
    const replyMs = client.arrivesMs + networkMs();
    if (client.seenVersion === undefined) {
      client.seenVersion = version;
      client.arrivesMs = replyMs + networkMs();
      continue;
    }
    calls++;
    if (client.seenVersion === version) {
      version++;
      doneMs.push(replyMs);
      contending.splice(contending.indexOf(client), 1);
    } else {
      client.failures++;
      client.lastDelayMs = delayMs(shape, client);
      client.seenVersion = undefined;
      client.arrivesMs = replyMs + networkMs() + client.lastDelayMs;
    }
  }
  return { allDoneMs: Math.max(...doneMs), medianMs: median(doneMs), calls };
}

/** Each client has one message under way, so the next to arrive is the least of them. */
function earliest(clients: readonly Client[]): Client | undefined {
  let first = clients[0];
  for (const client of clients) {
    if (first !== undefined && client.arrivesMs < first.arrivesMs) first = client;
  }
  return first;
}

function delayMs(shape: Shape, { id, failures, lastDelayMs }: Client): number {
  const range = jitterRange(shape, nominalDelayMs(shape, failures), lastDelayMs);
  return drawDelayMs(range, sessionRandom(id, failures));
}

/** Standard normal numbers, by Box and Muller. */
function normalNumbers(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) / 2, sorted.length / 2 + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function average(shape: Shape, clients: number): Contention {
  const runs = Array.from({ length: SEEDS }, (_, seed) => contend(shape, clients, seed));
  const mean = (field: keyof Contention) =>
    Math.round(runs.reduce((sum, run) => sum + run[field], 0) / SEEDS);
  return { allDoneMs: mean('allDoneMs'), medianMs: mean('medianMs'), calls: mean('calls') };
}

describe('contention', () => {
  const printed: Record<string, string>[] = [];
  afterAll(() => console.table(printed));

  it.each(published)('of $clients clients: $policy', ({ clients, policy, within, ...figures }) => {
    const ours = average(shapes[policy], clients);
    const compared = Object.entries(figures).map(([field, theirs]) => {
      const own = ours[field as keyof Contention]; // The figures of a row are those of a run.
      return { field, ratio: own / theirs, text: `${own} (${theirs})` };
    });
    const texts = compared.map(({ field, text }) => [field, text]);
    printed.push({ clients: String(clients), policy, ...Object.fromEntries(texts) });
    for (const { field, ratio } of compared) {
      expect(Math.abs(ratio - 1), field).toBeLessThan(within);
    }
  });
});
