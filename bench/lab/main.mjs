// A simulated attempt beside `decide()` with its random number, in turns; and the memory of a long run beside a short one.
import { decide, definePolicy } from '@redrive/core';
import { sessionRandom } from '@redrive/core/stored';
import { readScene, startSimulation } from '@redrive/lab';
import { month } from './month.mjs';

const GOAL = 6;
const ROUNDS = 9;
const POLICY = {
  max_attempts: 4,
  base_delay: 0.1,
  max_delay: 2,
  jitter_type: 'full',
  jitter_amount: 1,
};

/** Exit code 1: a goal is missed, or memory grows with the number of attempts. */
export async function main() {
  const decisions = [];
  const attempts = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    decisions.push(decisionNs(200_000, round));
    attempts.push(attemptNs(30, round + 1));
  }
  const ratio = median(attempts) / median(decisions);
  console.log(
    `decide() with its random number: ${median(decisions).toFixed(0)} ns (median of ${ROUNDS})`,
  );
  console.log(`a simulated attempt: ${median(attempts).toFixed(0)} ns`);
  console.log(`ratio: ${ratio.toFixed(1)}, goal at most ${GOAL}`);
  const [short, long] = [heapMiB(30), heapMiB(300)];
  console.log(
    `heap after 30 s of simulated load: ${short.toFixed(1)} MiB; after 300 s: ${long.toFixed(1)} MiB`,
  );
  const isMonthFast = await month();
  if (ratio > GOAL || long > short + 8 || !isMonthFast) process.exitCode = 1;
}

function decisionNs(count, round) {
  const policy = definePolicy({
    maxAttempts: 4,
    baseDelayMs: 100,
    maxDelayMs: 2_000,
    jitter: 'full',
  });
  let sum = 0;
  const startNs = process.hrtime.bigint();
  for (let n = 0; n < count; n += 1) {
    const { delayMs = 0 } = decide({
      policy,
      account: { charged: 1 + (n % 4), freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
      outcome: { kind: 'failure', errorClass: 'retryable', effect: 'unknown' },
      rung: 'call',
      horizonMs: 600_000,
      canHandOver: false,
      timeLeftMs: Infinity,
      allowance: Infinity,
      budgetAllows: true,
      breakerOpenMs: 0,
      onUnknown: 'retry',
      random: sessionRandom(`${round}:${n}`, 1 + (n % 4)),
    });
    sum += delayMs;
  }
  const ns = Number(process.hrtime.bigint() - startNs) / count;
  if (sum < 0) throw new Error('decide() answered with a negative wait');
  return ns;
}

/** 1,000 calls a second at a dependency that is down: four attempts each. */
function storm(seconds) {
  const { scene, problems } = readScene({
    arrivals: { rate: 1_000, for: seconds },
    dependency: {
      latency: { median: 0.02, sigma: 0.5 },
      outages: [{ from: 0, for: 86_400 }],
    },
    callers: { processes: 100, layers: [POLICY] },
  });
  if (scene === undefined) throw new Error(JSON.stringify(problems));
  return scene;
}

function attemptNs(seconds, seed) {
  const simulation = startSimulation(storm(seconds), seed);
  const startNs = process.hrtime.bigint();
  while (simulation.step(1_000_000));
  return Number(process.hrtime.bigint() - startNs) / simulation.attempts;
}

function heapMiB(seconds) {
  const simulation = startSimulation(storm(seconds), 1);
  while (simulation.step(1_000_000));
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  if (simulation.attempts === 0) throw new Error('nothing was simulated');
  return (heapUsed + arrayBuffers) / 1_048_576;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
