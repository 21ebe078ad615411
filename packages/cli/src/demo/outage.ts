import { type Clock, definePolicy, retry, retryBudget } from '@redrive/core';
import { print, type Stage } from './stage.ts';

const REQUESTS_PER_SECOND = 1_000;
const OUTAGE_SECONDS = 10;
const REQUESTS = REQUESTS_PER_SECOND * OUTAGE_SECONDS;
const MAX_ATTEMPTS = 4;

type Call = () => Promise<never>;
/** A service that makes up to four attempts at the one below it. */
type Service = (below: Call) => Promise<never>;

/** Shows how three layers of retries multiply in an outage, and how few calls remain with the limits on. */
export async function outage(stage: Stage): Promise<void> {
  print(
    stage,
    `   A dependency is dead for ${OUTAGE_SECONDS} s. ${count(REQUESTS_PER_SECOND)} requests per second reach it through`,
    `   three services, each with ${MAX_ATTEMPTS} attempts. How many calls is that? Simulated now,`,
    '   and without waits: they move calls, they do not make them fewer.',
    '',
  );
  for (const [name, makeService] of [
    ['three loops', () => loop],
    ['one account', (clock: Clock) => redrive(clock, false)],
    ['and a budget', (clock: Clock) => redrive(clock, true)],
  ] as const) {
    printBar(stage, name, await simulate(makeService));
  }
  print(
    stage,
    '',
    '   One account: what an inner call has given up, no outer one tries again.',
    '   Budget: 100 retries at once, 10 per second, and one more for five successes.',
    '   It is on for every call that names its dependency.',
  );
}

/** Calls that reach the dependency. */
async function simulate(makeService: (clock: Clock) => Service): Promise<number> {
  let nowMs = 0;
  const time = () => nowMs;
  const clock: Clock = { now: time, monotonic: time, setTimer: refuseToWait };
  const service = makeService(clock);
  const dead = new Error('connection refused');
  let calls = 0;
  const dependency: Call = () => {
    calls += 1;
    return Promise.reject(dead);
  };
  for (let request = 0; request < REQUESTS; request++) {
    nowMs = (request * 1_000) / REQUESTS_PER_SECOND;
    await service(() => service(() => service(dependency))).catch(() => undefined);
  }
  return calls;
}

function refuseToWait(): never {
  throw new Error('this simulation has no waits');
}

/** The loop that everybody writes. */
const loop: Service = async (below) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await below();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

function redrive(clock: Clock, hasBudget: boolean): Service {
  const policy = definePolicy({ maxAttempts: MAX_ATTEMPTS, backoff: 'immediate', jitter: 'none' });
  const options = { clock, budget: hasBudget ? retryBudget({ clock }) : (false as const) };
  return (below) => retry(below, policy, options);
}

function printBar(stage: Stage, name: string, calls: number): void {
  const times = calls / REQUESTS;
  const columns = Math.max(1, Math.round(((stage.columns - 44) * times) / MAX_ATTEMPTS ** 3));
  const bar = stage.paint(times > 2 ? 'red' : 'green', '█'.repeat(columns));
  const factor = `${times.toFixed(2)}x`.padStart(6);
  print(stage, `   ${name.padEnd(13)}${factor} ${count(calls).padStart(8)} calls  ${bar}`);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
