import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';

let place: Scratch;
let children: ChildProcess[] = [];

beforeEach(() => {
  place = scratch();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  place.remove();
});

const effectsFile = () => join(place.directory, 'effects');

function effects(): string[] {
  if (!existsSync(effectsFile())) return [];
  return readFileSync(effectsFile(), 'utf8').trim().split('\n');
}

/** A process of `testing/once-process.ts` that is ready to begin. */
async function processFor(role: 'call' | 'hold', leaseMs = 60_000): Promise<ChildProcess> {
  const file = join(import.meta.dirname, 'testing/once-process.ts');
  const args = [place.path, effectsFile(), role, String(leaseMs)];
  const child = fork(file, args, { stdio: 'inherit', execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}

/** Lets it begin, and waits for what it says next. */
async function begin(child: ChildProcess): Promise<unknown> {
  const said = once(child, 'message');
  child.send('begin');
  return (await said)[0];
}

it('runs once for a hundred callers at once, who all get its result', async () => {
  const store = await openMade(place.path, { timeoutMs: 30_000 });
  const ledger = store.ledger();
  let runs = 0;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => ledger.once({ key: 'k' }, () => ++runs)),
  );
  await store.close();
  expect(runs).toBe(1);
  expect(new Set(answers)).toEqual(new Set([1]));
});

it('runs once for a hundred callers in two processes', async () => {
  const both = await Promise.all([processFor('call'), processFor('call')]);
  const answers = (await Promise.all(both.map(begin))) as string[][];
  expect(effects()).toHaveLength(1);
  expect(answers.flat()).toHaveLength(100);
  expect(new Set(answers.flat())).toEqual(new Set([`by ${effects()[0]}`]));
});

it('frees a key when the lease of a holder that was killed is over', async () => {
  const leaseMs = 1_000;
  const holder = await processFor('hold', leaseMs);
  expect(await begin(holder)).toBe('held');
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exited;
  const store = await openMade(place.path, { timeoutMs: 30_000 });
  const ledger = store.ledger();
  expect(await ledger.look('k')).toMatchObject({ state: 'in_progress', token: 1 });
  expect(await ledger.once({ key: 'k' }, () => 'again')).toBe('again');
  const entry = await ledger.look('k');
  expect(entry).toMatchObject({ state: 'done', token: 2 });
  expect(await ledger.complete('k', 1, 'late')).toBe(false);
  await store.close();
});
