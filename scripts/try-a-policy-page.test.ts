import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookUp, parseConfig, watchConfig } from '@redrive/config';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { START } from '../packages/cli/src/testing/job-store.ts';
import { outageStore } from '../packages/cli/src/testing/outage-store.ts';
import { runMain } from '../packages/cli/src/testing/run-main.ts';
import { scratchDirectory } from '../packages/cli/src/testing/scratch-directory.ts';

// The how-to as a platform engineer goes through it: every command in its order, on a store of the engine itself.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/try-a-policy.md'), 'utf8');
const blocksOf = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
const [oldYaml = '', newYaml = '', sceneYaml = '', ...otherYaml] = blocksOf('yaml');
const lines = blocksOf('sh').flatMap((text) => text.trim().split('\n'));

/** Twenty mails a second for a minute, and eight seconds without the mail server. */
async function setUp() {
  const clock = virtualClock(START);
  const { config } = parseConfig(oldYaml);
  const policy = config && lookUp(config, 'mail').policy?.policy;
  if (policy === undefined) return expect.fail('the page has no policy mail');
  const made = await outageStore(clock, { policy, perSecond: 20, downSeconds: 8 });
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': oldYaml,
    'new.yaml': newYaml,
    'outage.yaml': sceneYaml,
  });
  return { ...made, clock, directory };
}

/** A line of the page as a shell takes it: one command, `> file`, and the exit code that it says. */
const LINE =
  /^redrive (.*?)(?: > ([a-z]\S*))?(?: \|\| test \$\? -eq (\d+))?(?: && mv (\S+) (\S+))?$/;

test('the how-to does what it says: review, simulate, back-test, replay, a table, reload', async () => {
  const { store, clock, directory, dead } = await setUp();
  expect([otherYaml, dead > 50]).toEqual([[], true]);
  const printed = new Map<string, string>();
  const watcher = await watchConfig({ file: join(directory, 'redrive.yaml'), onProblem: () => {} });
  onTestFinished(() => watcher.close());
  for (const line of lines) {
    const [, command = '', file, exitCode = '0', from, to] = LINE.exec(line) ?? [];
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    // A simulation lets the process breathe now and then, in real time.
    const time = words[1] === 'simulate' ? {} : { clock };
    const ran = await runMain(words, { store, directory, ...time });
    expect(ran, line).toMatchObject({ exitCode: Number(exitCode) });
    if (file !== undefined) writeFileSync(join(directory, file), ran.stdout);
    if (from !== undefined && to !== undefined)
      renameSync(join(directory, from), join(directory, to));
    printed.set(line, ran.stdout);
  }
  const [
    review = '',
    ,
    explain = '',
    diff = '',
    before = '',
    after = '',
    ,
    backtest = '',
    replay = '',
    ,
    ,
    ,
    show = '',
  ] = printed.values();
  expect(printed.size).toBe(13);
  const finding = /gives_up_early mail: (\d+) of (\d+) dead letters/;
  expect(review.replaceAll(/\s+/g, ' ')).toMatch(finding);
  expect(page.slice(page.indexOf('```text'))).toMatch(finding);
  expect(finding.exec(review.replaceAll(/\s+/g, ' '))?.[2], 'the store’s own count').toBe(
    `${dead}`,
  );
  expect(explain).toContain('exponential');
  expect(diff).toMatch(/max_attempts +3 +5/);
  const givenUp = (text: string) => Number(/given up +(\d+)/.exec(text)?.[1]);
  expect(givenUp(before)).toBeGreaterThan(givenUp(after));
  expect(backtest).toMatch(/\nexhausted .* 0\.00 % .* -\d/);
  expect(replay).toMatch(/decisions derived again, all as recorded\n/);
  expect(replay).toMatch(new RegExp(`\\ngiven up +${dead} +0 `));
  expect(readFileSync(join(directory, 'backtest.md'), 'utf8')).toMatch(
    /\n\| exhausted \| \d.* \| -\d/,
  );
  expect(show).toMatch(/max_attempts: 5|attempts +5/);
  await watcher.reload('test');
  expect(lookUp(watcher.current, 'mail').policy?.policy.maxAttempts).toBe(5);
});
