import { expect, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { runMain } from '../testing/run-main.ts';

const SERVER = 'http://127.0.0.1:9';
const local = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.map((spec) => ({ path: `${each.name} ${spec.name}`, spec }))
    : [{ path: each.name, spec: each }],
).filter(({ spec }) => !spec.remote);

/** The command with a word for each argument that must be given. */
function lineOf({ path, spec: { args = [] } }: (typeof local)[number]): string[] {
  const words = args.filter(({ name }) => name.startsWith('<'));
  return [...path.split(' '), ...words.map(({ choices }) => choices?.[0] ?? 'x')];
}

test.each(local)('$path runs on this machine only, and says so', async (each) => {
  const refused = `"redrive ${each.path}" runs on this machine only, not on a server.`;
  const named = await runMain([...lineOf(each), '--context', 'prod']);
  expect([named.exitCode, named.stdout]).toEqual([2, '']);
  expect(named.stderr).toContain(refused);
  if (each.spec.uses !== 'store') return;
  for (const name of ['REDRIVE_SERVER', 'REDRIVE_CONTEXT']) {
    const { exitCode, stderr } = await runMain(lineOf(each), { env: { [name]: SERVER } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(refused)]);
  }
});

test('--server is refused as well; it is an option of "contexts add" itself', async () => {
  const { exitCode, stderr } = await runMain(['completion', 'bash', '--server', SERVER]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Leave out --server.')]);
  const added = await runMain(['contexts', 'add', 'prod', '--server', SERVER]);
  expect(added.stderr).not.toContain('runs on this machine only');
});

test('a command without a store does not care for REDRIVE_SERVER', async () => {
  const { exitCode } = await runMain(['completion', 'bash'], { env: { REDRIVE_SERVER: SERVER } });
  expect(exitCode).toBe(0);
});

test('--store names a store in spite of REDRIVE_SERVER', async () => {
  const line = ['store', 'migrate', '--dry-run', '--store', 'redrive.db'];
  const { stderr } = await runMain(line, { env: { REDRIVE_SERVER: SERVER } });
  expect(stderr).not.toContain('runs on this machine only');
});
