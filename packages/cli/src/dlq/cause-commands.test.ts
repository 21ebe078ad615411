import { parseConfig } from '@redrive/config';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { applyFileRules } from '@redrive/durable/dead-letters';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';

const MESSAGES = [
  'card 4711 declined by bank 12',
  'card 4712 declined by bank 13',
  'card 4713 declined by bank 13',
  'card 4714 expired in 03/24',
  'no such shop',
];

/** Dead letters of three causes, and a worker that moves them. */
async function withLetters(messages: readonly string[] = MESSAGES) {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { pay: (message: string) => final(message) }, { clock, log: 'off' });
  await jobs.start();
  onTestFinished(async () => {
    const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
    await clock.advance(1_000);
    await stopped;
  });
  for (const message of messages) {
    await jobs.enqueue('pay', message);
    await clock.advance(1_000);
  }
  const run = (line: string, options: RunOptions = {}) => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    return runMain(['dlq', ...words], { store, clock, ...options });
  };
  const text = async (line: string) => (await run(line)).stdout;
  const json = async (line: string) => JSON.parse(await text(`${line} --json`));
  const groups = async () => {
    await clock.advance(10_000);
    const { groups: all } = await json('groups');
    return Object.fromEntries(
      all.map(({ pattern, count }: { pattern: string; count: number }) => [
        pattern.replace('verdict:final: ', ''),
        count,
      ]),
    );
  };
  const cause = async (words: string): Promise<string> =>
    (await json(`groups --text '${words}'`)).groups[0].fingerprint;
  return { store, clock, jobs, run, text, json, groups, cause };
}

test('a merge is tried, set, applied to old and new letters, and undone', async () => {
  const { jobs, text, json, groups, cause, clock } = await withLetters();
  const before = await groups();
  expect(before).toEqual({
    'no such shop': 1,
    'card <n> expired in <n>/<n>': 1,
    'card <n> declined by bank <n>': 3,
  });
  const causes = `${await cause('declined')} ${(await cause('expired')).slice(0, 8)}`;
  const merge = `merge ${causes} --into card-refused --title 'Card refused'`;
  expect(await text(`${merge} --dry-run`)).toBe(
    'This would join 2 causes, 4 letters: Card refused\n',
  );
  expect(await groups()).toEqual(before);
  const { operation } = await json(`${merge} --reason INC-7`);
  expect(await groups()).toEqual({ 'no such shop': 1, 'Card refused': 4 });
  await jobs.enqueue('pay', 'card 1 expired in 01/26');
  expect(await groups()).toEqual({ 'no such shop': 1, 'Card refused': 5 });
  expect(operation).toMatch(/^regroup-[\da-f]{16}$/);
  expect((await json('rules')).rules).toMatchObject([
    { name: 'card-refused', from_file: false, why: 'INC-7' },
  ]);
  expect(await text('remove-rule card-refused')).toMatch(
    /^Removed the rule card-refused: 5 letters go back to 2 causes\.\nThey move in the background: redrive ops show regroup-/,
  );
  await clock.advance(5_000);
  expect(await groups()).toEqual({ ...before, 'card <n> expired in <n>/<n>': 2 });
});

test('a merge into a cause that exists keeps its fingerprint, its letters and its title', async () => {
  const { text, groups, cause } = await withLetters();
  const into = await cause('declined');
  const merge = `merge ${await cause('expired')} ${await cause('shop')} --into ${into}`;
  expect(await text(merge)).toContain(
    'Joined 3 causes, 5 letters: returned final: card <n> declined by bank <n>\nThey move',
  );
  expect(await groups()).toEqual({ 'card <n> declined by bank <n>': 5 });
  expect(await cause('declined')).toBe(into);
});

test('a split by a text of the message sets its letters apart', async () => {
  const { text, groups, cause } = await withLetters();
  const split = `split ${await cause('declined')} --by 'bank 13'`;
  expect(await text(`${split} --dry-run`)).toBe(
    'This would split off 2 letters, as 1 cause:\n2  returned final: card <n> declined by bank <n> (pattern *bank 13*)\n',
  );
  await text(split);
  expect(await groups()).toMatchObject({
    'card <n> declined by bank <n>': 1,
    'card <n> declined by bank <n> (pattern *bank 13*)': 2,
  });
});

test('a rename gives a cause another title, and the last one counts', async () => {
  const { text, groups, cause } = await withLetters();
  const shop = await cause('shop');
  expect(await text(`rename ${shop} 'Shop unknown' --dry-run`)).toBe(
    'This would rename returned final: no such shop to Shop unknown\n',
  );
  await text(`rename ${shop} 'Shop unknown'`);
  await text(`rename ${shop} 'Shop was closed'`);
  expect(await groups()).toMatchObject({ 'Shop was closed': 1 });
  const rules = await text('rules');
  const [, name = ''] = /(rename-\S+)/.exec(rules) ?? [];
  await text(`remove-rule ${name}`);
  expect(await groups()).toMatchObject({ 'no such shop': 1 });
});

test('exported rules are the same rules in redrive.yaml', async () => {
  const { store, text, json, cause, groups } = await withLetters();
  await text(
    `merge ${await cause('expired')} --into ${await cause('declined')} --title 'Card: "no"'`,
  );
  await text(`split ${await cause('Card')} --by 'bank 13'`);
  const before = await groups();
  const { rules } = await json('rules');
  const { config, problems } = parseConfig(`version: "1.1.0"\n${await text('export-rules')}`);
  expect(problems).toEqual([]);
  const { causesSettings } = await import('@redrive/config');
  const actor = { name: 'test' };
  await applyFileRules(store, { rules: config ? causesSettings(config) : [], actor });
  const own = ({ from_file, by, why, set_at, ...rule }: Record<string, unknown>) => rule;
  expect((await json('rules')).rules.map(own)).toEqual(rules.map(own));
  expect(await groups()).toEqual(before);
  expect((await json('rules')).yaml).toBe('causes: {}\n');
});

test.each([
  ['merge nope --into x', 3, 'No dead letter has the cause nope.'],
  ['merge fp1: --into x', 3, 'No dead letter has the cause fp1:.'],
  ['merge SHOP --into SHOP', 4, 'These are one cause already.'],
  ["merge SHOP --into 'a b'", 2, 'its name must be'],
  ['split SHOP --by nothing', 3, 'No letter of fp1:'],
  ['split SHOP --by code', 3, 'has a code'],
  ["rename SHOP ' '", 2, 'title must have'],
  ['remove-rule nope', 3, 'There is no rule of causes nope.\nThere are no rules.'],
])('%s ends with %i', async (line, code, message) => {
  const { run, cause, json } = await withLetters(['no such shop']);
  const { exitCode, stderr } = await run(line.replaceAll('SHOP', await cause('shop')));
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
  expect((await json('rules')).rules).toEqual([]);
});

test('the beginning of a fingerprint must be unique', async () => {
  const words =
    'red green blue black white brown pink grey gold teal cyan lime navy plum sand rose rust';
  const { run, json } = await withLetters(
    words.split(' ').map((word) => `the ${word} lamp is out`),
  );
  const { groups } = await json('groups');
  const first = (each: { fingerprint: string }) => each.fingerprint.slice(0, 5);
  const [shared] = groups
    .map(first)
    .filter((each: string, at: number, all: string[]) => all.indexOf(each) < at);
  const { exitCode, stderr } = await run(`rename ${shared} x`);
  expect([exitCode, stderr]).toEqual([
    7,
    expect.stringContaining(`Several causes begin with ${shared}: `),
  ]);
});

test('groups show the real message of the newest letter, with the parts that differ', async () => {
  const { text, run, json } = await withLetters(['customer 456 not found', 'customer 7 not found']);
  expect(await text('groups')).toMatch(/^ {3}newest: customer ‹7› not found$/m);
  const stream = { isTTY: true, hasColors: () => true };
  expect((await run('groups', { stream })).stdout).toContain('\u001b[33m‹7›\u001b[39m');
  expect((await run('groups', { env: { LC_ALL: 'C' } })).stdout).toContain(
    'customer <7> not found',
  );
  expect((await json('groups')).groups[0].last_message).toEqual([
    { text: 'customer ', varies: false },
    { text: '7', varies: true },
    { text: ' not found', varies: false },
  ]);
});
