import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Ledger } from '@redrive/core';

const LEASE_MS = 1_000;
const REQUEST = { fingerprint: 'f', leaseMs: LEASE_MS };

/** The steps of a holder, in this order, unless it crashes on the way. */
type Step = 'reserve' | 'renew' | 'complete' | 'fail';

/** One thing that happens to the key. */
type Action = { readonly holder: 'A' | 'B'; readonly step: Step } | 'expire';

/** The least that a key must know: a ledger's answers are compared with what follows from it. */
interface Model {
  state: 'free' | 'held' | 'done';
  newestToken: number;
  leaseLive: boolean;
  value?: string;
}

/**
 * Plays every schedule of two holders on a key of its own and checks every answer: each holder completes, fails or
 * crashes after any number of steps, their steps are merged in every order, and the lease expires at any one point or
 * not at all. In the end a third one comes after all leases have expired: it finds the committed result or commits its
 * own, and after that no earlier token can write.
 */
export async function interleavings(subject: {
  readonly ledger: Ledger;
  readonly clock: { advance(ms: number): void | Promise<void> };
}): Promise<void> {
  let played = 0;
  for (const schedule of schedules()) {
    await play(subject, `key-${++played}`, schedule);
  }
  ok(played > 1_000, `${played} schedules`);
}

async function play(
  { ledger, clock }: Parameters<typeof interleavings>[0],
  key: string,
  schedule: readonly Action[],
): Promise<void> {
  const model: Model = { state: 'free', newestToken: 0, leaseLive: false };
  const tokens = new Map<string, number>();
  let story = key;
  let commits = 0;

  async function reserve(holder: string): Promise<void> {
    const answer = await ledger.reserve(key, REQUEST);
    if (model.state === 'done') {
      deepEqual(answer, { state: 'done', value: model.value }, story);
    } else if (model.state === 'held' && model.leaseLive) {
      equal(answer.state, 'in_progress', story);
    } else {
      ok(answer.state === 'reserved', `${story}: ${answer.state}`);
      ok(answer.token > model.newestToken, `${story}: token ${answer.token} does not rise`);
      tokens.set(holder, answer.token);
      Object.assign(model, { state: 'held', newestToken: answer.token, leaseLive: true });
    }
  }

  async function write(holder: string, step: Step): Promise<void> {
    const token = tokens.get(holder);
    // It got no reservation, so it has nothing to do.
    if (token === undefined) return;
    const allowed = model.state === 'held' && token === model.newestToken;
    if (step === 'renew') {
      equal(await ledger.renew(key, token, LEASE_MS), allowed, story);
      if (allowed) model.leaseLive = true;
    } else if (step === 'complete') {
      equal(await ledger.complete(key, token, holder), allowed, story);
      if (allowed) Object.assign(model, { state: 'done', value: holder });
      commits += Number(allowed);
    } else {
      equal(await ledger.fail(key, token, { type: 'E', message: holder }), allowed, story);
      if (allowed) model.state = 'free';
    }
  }

  async function expire(): Promise<void> {
    await clock.advance(LEASE_MS + 1);
    model.leaseLive = false;
  }

  for (const action of schedule) {
    story += action === 'expire' ? ' expire' : ` ${action.holder}.${action.step}`;
    if (action === 'expire') await expire();
    else if (action.step === 'reserve') await reserve(action.holder);
    else await write(action.holder, action.step);
  }

  story += ' expire C';
  await expire();
  await reserve('C');
  for (const holder of ['A', 'B', 'C', 'A', 'B', 'C']) await write(holder, 'complete');
  equal(commits, 1, story);
  const entry = await ledger.look(key);
  ok(entry?.state === 'done' && entry.value === model.value, story);
}

function* schedules(): Generator<readonly Action[]> {
  for (const a of programs('A')) {
    for (const b of programs('B')) {
      for (const merged of merges(a, b)) {
        yield merged;
        for (let at = 0; at <= merged.length; at++) yield merged.toSpliced(at, 0, 'expire');
      }
    }
  }
}

/** A whole run, with either ending, and the same cut short by a crash after any step. */
function programs(holder: 'A' | 'B'): Action[][] {
  const whole = (ending: Step) =>
    (['reserve', 'renew', ending] as const).map((step) => ({ holder, step }));
  return [whole('complete'), whole('fail'), ...[2, 1, 0].map((n) => whole('fail').slice(0, n))];
}

/** Every order in which two programs can take turns. */
function* merges(a: readonly Action[], b: readonly Action[]): Generator<readonly Action[]> {
  const [nextOfA, ...restOfA] = a;
  const [nextOfB, ...restOfB] = b;
  if (nextOfA === undefined) yield b;
  else if (nextOfB === undefined) yield a;
  else {
    for (const rest of merges(restOfA, b)) yield [nextOfA, ...rest];
    for (const rest of merges(a, restOfB)) yield [nextOfB, ...rest];
  }
}
