import { memoryStore } from '@redrive/durable';
import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';

test('of fifty planted secrets none is shown or exported, unless a payload is asked for in full', async () => {
  const store = memoryStore();
  await plantSecrets(store);
  const run = (args: string) => runMain(args.split(' '), { store, env: { COLUMNS: '1000' } });
  const { letters } = JSON.parse((await run('dlq list --limit 1000 --json')).stdout);
  expect(letters.length).toBeGreaterThan(40);
  const ids: string[] = letters.map(({ id }: { id: string }) => id);
  const commands = [
    'dlq list --limit 1000',
    'dlq groups --limit 100',
    'dlq stats --json',
    'dlq causes --limit 100',
    'dlq causes --limit 100 --json',
    'dlq export --to -',
    'dlq export --to - --format csv',
    'jobs list --limit 1000 --json',
    'audit list --limit 1000 --json',
    'audit export --to -',
    'audit verify --json',
    ...ids.slice(0, 60).flatMap((id) => [`dlq show ${id}`, `jobs show ${id} --json`]),
    `audit replay ${ids[0]}`,
  ];
  for (const args of commands) {
    const { stdout, stderr } = await run(args);
    expect(leakedSecrets(stdout + stderr), args).toEqual([]);
  }
  const { stdout } = await run('dlq export --to - --payload full');
  expect(leakedSecrets(stdout)).not.toEqual([]);
});
