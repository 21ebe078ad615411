import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { ARCHIVES } from '../testing/document-place.ts';
import { onServer, onStore, withoutPlace } from '../testing/operator-places.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** Command lines on the store of `operatorStore`. A command without arguments needs no line. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  // A look has a record, which names the command or the route.
  'audit list': [
    '--event control',
    '--event enqueue --event settle --limit 3',
    '--format audit/v1',
    '--event control --since soon',
    '--event control --after x',
    '--format event/v1 --event idempotency',
  ],
  'audit tail': ['--event control --for 0s', '--event control --for soon --limit 0'],
  'audit export': ['--event control --to -', '--format session/v1 --to -', '--since soon --to -'],
  'audit verify': ['', `--head 1:${'0'.repeat(64)}`, '--head 1'],
  'audit replay': ['nope'],
  'audit prove': ['card-0 --to -', 'nope --to -', '0.0 --to -'],
  'breakers show': ['bank', 'bnak'],
  'breakers force-open': ['bank --for 30m --reason maintenance', 'new', 'bank --for soon'],
  'breakers force-closed': ['bank --until +1h', 'bank --until noon'],
  'breakers half-open': ['bank', 'bnak'],
  'breakers reset': ['bank --reason fixed', 'bnak'],
  'batches show': ['import-7', 'import-7 --json', 'import-8'],
  'batches cancel': ['import-7 --dry-run', 'import-8'],
  'batches retry': ['import-7 --dry-run --json', 'import-8'],
  'documents list': ['', 'archives --limit 1', 'archvies', '--limit 0'],
  'documents reset': [
    'archives a-18 --reason fixed',
    'archives --reason fixed',
    'archives --yes --reason fixed',
    'archives a-17 --reason fixed',
    'archvies --yes --reason fixed',
  ],
  'documents archive': ['archives a-18 --reason old', 'archives --reason old'],
  'documents purge': [
    'archives --confirm archives --reason corrupt',
    'archives a-18 --reason corrupt',
  ],
  'escalations show': ['archives', 'arch', 'nothing', 'archives --since 1h'],
  'escalations ack': ['archives --reason looking', 'nothing'],
  'escalations snooze': ['archives --for 4h', 'archives --for 40d'],
  'escalations assign': ['archives parsing-team'],
  'escalations decide': ['archives --decision purge --reason corrupt'],
  'dlq merge': [
    'fp1:2b87 fp1:9c1d --into card-refused --reason INC-7',
    'fp1:2b87 --into fp1:9c1d44e07a5c21f0 --title Cards',
    'fp1:2b87 fp1:9c1d --into new --dry-run',
    'nope --into new',
    'fp1:2b87',
  ],
  'dlq split': ['fp1:2b87 --by handler', 'fp1:2b87 --by nope', 'fp1:9c1d --by handler --dry-run'],
  'dlq rename': ['fp1:2b87 Cards', 'fp1:2b87 Cards --dry-run', 'nope Cards'],
  'dlq remove-rule': ['card-refused', 'card-refused --dry-run', 'nope'],
  'dlq show': ['card-0', 'card-1 --payload full', 'card-1 --payload none', 'nope', 'id::image-7'],
  'dlq requeue': [
    'card-0 card-1 --operation op-1 --reason fixed',
    'card-0 nope --operation op-1 --reason fixed',
    '--handler pay --yes --ramp 1 --operation op-1 --detach --reason fixed',
    '--reason fixed',
    '--handler pay --reason fixed',
    '--handler pay --yes --operation op-1 --reason fixed',
    '--handler pay --confirm 1 --reason fixed',
    '--handler none --yes --reason fixed',
    'nope --operation op-1 --reason fixed',
    '--all --ramp odd --reason fixed',
    'nope --limit 1 --reason fixed',
    '--operation incident-6 --reason fixed',
  ],
  'dlq reset': ['--all --yes --operation op-1 --reason fixed', '--class odd --reason fixed'],
  'dlq purge': [
    'card-0 --operation op-1 --reason fixed',
    '--all --yes --limit 1 --operation op-1 --reason fixed',
    'nope --operation op-1 --reason fixed',
  ],
  'dlq restore': ['nope --operation op-1 --reason fixed', '--purge nope --reason fixed'],
  'dlq edit': [
    'card-0 --payload 7 --operation op-1 --reason fixed',
    'nope --payload {} --reason fixed',
    'nope --payload { --reason fixed',
    'nope --reason fixed',
  ],
  'dlq export': ['--to -', '--to - --format csv --handler pay', '--to - --limit 1', '--limit x'],
  'ops watch': ['incident-7 --timeout 0', 'incident-6'],
  'dlq list': ['', '--handler pay --since 2h', '--since soon', '--class odd', '--limit 1'],
  'dlq groups': ['', '--limit 1', '--text declined --plain', '--limit 101'],
  'dlq stats': ['', '--handler none'],
  'dlq causes': ['', '--limit 1'],
  'gates release': [
    'search --reason raised',
    'search --tenant acme',
    'search --dry-run',
    'serach',
    'search --credential other',
  ],
  'limits set': ['handler:mail/all/1000ms --limit 5 --reason asked', '--limit 5 --reason asked'],
  'kill engage': [
    'queue default --reason INC-7',
    'handler mial --mode interrupt --reason INC-7',
    'all --reason INC-7',
    'all --confirm=all --reason INC-7',
    'queue --reason INC-7',
    'world --reason INC-7',
  ],
  'kill release': [
    'queue stopped --reason fixed',
    'queue stopped --pace 5/s --reason fixed',
    'queue other --reason fixed',
    'queue stopped --pace slow --reason fixed',
  ],
  'jobs cancel': ['id::image-7 --reason duplicate', 'id::image-7 card-0', 'nope', 'card-0'],
  'jobs retry': ['card-0 --reason fixed', 'id::image-7', 'nope'],
  'jobs enqueue': [
    'resize --payload {"image":8} --reason again',
    'resize --payload {"image":7} --id image-7 --queue stopped',
    'resize --payload {"image":8} --id image-7',
    'resize --payload 1 --unique-key k --unique-for 1h --run-at +10m --deadline +2h --tag a',
    'resize --payload {a:1}',
    'resize --payload 1 --priority 5000',
    'resize --payload 1 --unique-for 1h',
    'resize --payload 1 --policy runs.defualt',
    'reszie --payload 1',
    'reszie --payload 1 --runs-elsewhere',
    'resize',
  ],
  'jobs list': [
    '',
    '--state parked --state dead --limit 4',
    '--failing',
    '--failing --after x',
    '--since soon',
    '--state odd',
  ],
  'jobs show': ['card-0', 'card-0 --full', 'id::image-7', 'nope'],
  'jobs watch': ['card-0', 'card-0 --json', 'nope'],
  'jobs wait': ['card-0', 'card-0 --timeout soon', 'nope'],
  'lab record': ['', '--to never --since soon', '--to never --since 1h --until 2h'],
  'metrics show': ['', '--by tenant', '--since 2h', '--since 1h --until 2h', '--since soon'],
  'ops show': ['incident-7', 'incident-6'],
  'ops pause': ['incident-7 --reason look', 'incident-6'],
  'ops resume': ['incident-7'],
  'ops set-rate': ['incident-7 50/s', 'incident-7 none', 'incident-7 slow'],
  'ops abort': ['incident-7 --reason wrong'],
  'park release': [
    'breaker:bank',
    'breaker:bank --count 1',
    'breaker:bank --pace 20/s',
    'breaker:bank --hold-only',
    'bank',
  ],
  'park hold': ['breaker:bank --reason amounts', 'breaker:bank --end'],
  'config show': ['', '--effective'],
  'policies show': ['runs.default', 'events.x', 'nothing'],
  'policies explain': ['NATS_CONNECT', 'browser.x', 'nothing'],
  'policies plot': ['KV_GET events.default', 'KV_GET --scale log', 'nothing'],
  'policies diff': ['KV_GET KV_PUT', 'KV_GET API_REQUEST', 'nothing KV_PUT'],
  'queues pause': ['default --reason maintenance', 'slow', 'mail --handler'],
  'queues resume': ['slow', 'default'],
  'sign-ins revoke': ['local --reason stolen', 'local --dry-run', 'eve'],
  'stuck list': ['', 'archives --plain', '--invalid', 'archvies', '--limit 0'],
  'stuck explain': ['archives a-17', 'archives a-18', 'archives a-99', 'archvies a-17'],
  'stuck release': ['archives a-17 --reason fixed', 'archives a-17 a-99'],
  'sweep schedule': [
    'archives a-17 --at +2h --reason fixed',
    'archives a-17',
    'archives a-99',
    'archives a-17 --at soon',
  ],
  'tokens create': [
    '--role viewer --name grafana --tenant acme --expires +30d --rate 10/s',
    '--role viewer --name ann',
    '--role viewer --name a/b',
    '--role viewer --expires 2020-01-01T00:00:00Z',
    '',
  ],
  'tokens revoke': ['ann --dry-run', 'eve'],
  'schedules show': ['nightly', 'nihgtly'],
  'schedules run': ['nightly --reason missed', 'nihgtly'],
  'schedules pause': ['nightly --reason moves', 'nihgtly'],
  'schedules resume': ['nightly'],
  'schedules remove': ['nightly --reason replaced', 'nihgtly'],
  'workers list': ['', '--all', '--limit 0'],
};

const commands = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.filter(({ remote }) => remote).map(({ name }) => `${each.name} ${name}`)
    : each.remote
      ? [each.name]
      : [],
);
const lines = commands.flatMap((command) =>
  (LINES[command] ?? ['']).flatMap((rest) =>
    ['', ' --json'].map((format) => `${command} ${rest}${format}`.replaceAll(/ +/g, ' ').trim()),
  ),
);

const words = (line: string) => line.split(' ');

test.each(lines)('local and remote are equal: %s', async (line) => {
  const [local, remote] = [await onStore(onTestFinished), await onServer(onTestFinished)];
  const here = withoutPlace(await local.run(...words(line)));
  const there = withoutPlace(await remote.run(...words(line)));
  expect(there).toEqual(here);
});

const ACTS = new Set(
  COMMAND_TREE.flatMap((each) =>
    'commands' in each
      ? each.commands.filter(({ acts }) => acts).map(({ name }) => `${each.name} ${name}`)
      : [],
  ),
);
const acts = lines.filter((line) => ACTS.has(line.split(' ').slice(0, 2).join(' ')));

test.each(acts)('a dry run changes nothing: %s', async (line) => {
  const { run, store, documents } = await onStore(onTestFinished);
  const archives = () => ['a-17', 'a-18'].map((id) => documents.get(ARCHIVES, id));
  const untouched = JSON.stringify(archives());
  const [before, counts] = [await store.controls(), await store.counts()];
  const { exitCode, stdout } = await run(...words(line), '--dry-run');
  expect([0, 2, 3, 5, 7]).toContain(exitCode);
  if (exitCode === 0 && line.endsWith('--json')) {
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: true });
  }
  expect(await store.controls()).toEqual(before);
  expect(await store.counts()).toEqual(counts);
  expect(JSON.stringify(archives())).toBe(untouched);
});

test('a viewer may read and may not act', async () => {
  const { run } = await onServer(onTestFinished, { role: 'viewer' });
  expect((await run('gates', 'list')).exitCode).toBe(0);
  const { exitCode, stderr } = await run('gates', 'release', 'search');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 6,
    stderr: 'redrive: This needs the role operator; ann has the role viewer.\n',
  });
});

test.each([
  ['0.0.1', 'The server is older'],
  ['99.0.0', 'This command line is older'],
])('a server of version %s is read, and no act is sent to it', async (version, older) => {
  const { run, store } = await onServer(onTestFinished, { version });
  expect((await run('gates', 'list')).exitCode).toBe(0);
  const before = await store.controls();
  const { exitCode, stderr } = await run('gates', 'release', 'search');
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`Nothing was sent: the server has version ${version}`);
  expect(stderr).toContain(older);
  expect(await store.controls()).toEqual(before);
});

test('a server without a token, or one that does not answer, is refused in words', async () => {
  const env = { REDRIVE_SERVER: 'http://127.0.0.1:9' };
  const none = await runMain(['gates', 'list'], { env });
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toContain('A server needs a token.');
  const away = await runMain(['gates', 'list'], { env: { ...env, REDRIVE_TOKEN: 'x' } });
  expect(away.exitCode).toBe(8);
  expect(away.stderr).toContain('The server http://127.0.0.1:9 cannot be reached');
});

/** A command line on a server, with files beside it. */
async function withFiles() {
  const { url, token } = await onServer(onTestFinished);
  const files = { token, 'two.token': `${token}\nmore`, 'empty.token': ' \n', 'none.pem': 'x' };
  const directory = scratchDirectory(onTestFinished, files);
  return {
    token,
    run: (args: string) =>
      runMain(['gates', 'list', ...words(args.replaceAll('URL', url))], { directory, env: {} }),
  };
}

test.each([
  ['--server ftp://127.0.0.1 --token-file token', 2, 'not the address of a server'],
  ['--server http://ann:secret@127.0.0.1 --token-file token', 2, 'http://***@127.0.0.1'],
  ['--server URL?x=1 --token-file token', 2, 'not the address of a server'],
  ['--server URL/other --token-file token', 8, 'no such route'],
  ['--server URL --token-file empty.token', 2, 'A server needs a token.'],
  ['--server URL --token-file two.token', 6, 'Nothing was sent: a token is one line'],
  [
    '--server URL --token-file none',
    1,
    'Cannot read none: there is no such file.\nCheck the path.',
  ],
  ['--server URL --token-file .', 1, '. is not a file.'],
  ['--server URL --token-file token --ca-file none.pem', 2, 'none.pem has no certificates'],
])('what names a server wrongly is refused in words: %s', async (args, code, message) => {
  const { run, token } = await withFiles();
  const { exitCode, stdout, stderr } = await run(args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(message);
  for (const secret of ['secret', token]) expect(stderr).not.toContain(secret);
});
