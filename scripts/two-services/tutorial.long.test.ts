import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  freePorts,
  type NatsService,
  type PostgresService,
  startNats,
  startPostgres,
} from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from './services.ts';

// The tutorial as a reader goes through it: its commands run in its order, on a copy of the programs.
const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs/tutorial/two-services.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

let server: PostgresService;
let broker: NatsService;
let home: string;
let modelPort: number;

beforeAll(async () => {
  [server, broker, [modelPort = 0]] = await Promise.all([
    startPostgres(),
    startNats(),
    freePorts(1),
  ]);
  home = mkdtempSync(join(tmpdir(), 'redrive-tutorial-'));
  cpSync(join(root, 'examples/services'), join(home, 'examples/services'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  mkdirSync(join(home, 'bin'));
  // The reader's npx finds the programs of the clone. Each takes its place, so that a signal reaches it.
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  const npx = `#!/bin/sh
program=$1; shift
case $program in
  node) exec "${process.execPath}" "$@" ;;
  redrive) exec "${process.execPath}" "${launcher}" "$@" ;;
esac
`;
  writeFileSync(join(home, 'bin/npx'), npx);
  chmodSync(join(home, 'bin/npx'), 0o755);
}, 180_000);

afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await Promise.all([server?.stop(), broker?.stop()]);
});

/** The reader's shell: its directory, and what was exported. */
const shell = () => ({
  cwd: join(home, 'examples/services'),
  env: {
    ...process.env,
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    REDRIVE_STORE: server.url,
    MODEL_URL: `http://127.0.0.1:${modelPort}`,
    // The page waits half a minute for a dead letter; a test does not.
    RETRY_BASE_DELAY_MS: '30',
  },
});

/** Runs a block to its end, and answers what it printed. */
function run(block: string | undefined, pid = ''): string {
  const text = (block ?? expect.fail('the page has fewer blocks'))
    .replace('postgres://localhost/documents', server.url)
    .replace('127.0.0.1:4222', `${broker.host}:${broker.port}`)
    .replace('cd examples/services\n', '')
    .replace('<pid>', pid);
  const { stdout, stderr, status } = spawnSync('sh', ['-ec', text], {
    ...shell(),
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(status, text + stdout + stderr).toBe(0);
  return stdout + stderr;
}

/** A block in a terminal of its own. */
function terminal(block: string | undefined) {
  const text = block ?? expect.fail('the page has fewer blocks');
  const child: ChildProcess = spawn('sh', ['-ec', `exec ${text}`], {
    ...shell(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    printed += more;
  });
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => end('SIGKILL'));
  return {
    child,
    ended,
    says: (part: string) => eventually(part, () => printed.includes(part)),
    get lines() {
      return printed.split('\n').filter((line) => line.startsWith('embeds: ')).length;
    },
    stop: () => end('SIGINT'),
  };
}

test('the tutorial about two services does what it says', { timeout: 300_000 }, async () => {
  const [setUp, modelBlock, chunkingBlock, embeddingBlock, parse, show, again, ...later] = blocks;
  run(setUp);
  const model = terminal(modelBlock);
  const chunking = terminal(chunkingBlock);
  const embedding = terminal(embeddingBlock);
  await model.says('listens');
  expect(run(parse)).toContain('parsed archive.6');
  await eventually('all are embedded', () => model.lines === 11);
  expect(run(show)).toContain('succeeded');
  run(again);

  const [early, comes, never, dead, mend, history, ...others] = later;
  run(early);
  await chunking.says('for event with idempotency key: chunking-late.1');
  run(comes);
  await chunking.says('Event processed successfully after');
  await model.says('embeds: The mail was slow.');
  // The archive that was parsed twice was embedded once.
  expect(model.lines).toBe(12);
  run(never);
  await chunking.says('Event sent to DLQ after 8 attempts');
  expect(run(dead)).toContain('DocumentNotFoundError');
  run(mend);
  await model.says('embeds: Found again.');
  expect(run(history)).toMatch(/chunking-lost\.1 +succeeded/);

  const [monday, parked, modelAgain, workers, crash, embeddingAgain, ...last] = others;
  await model.stop();
  run(monday);
  await eventually('events are parked', () => run(parked).includes('breaker:model'));
  const second = terminal(modelAgain);
  await eventually('the outage is over', () => second.lines === 11);
  expect(run(workers)).toMatch(/ embedding *$/m);
  run(crash, String(embedding.child.pid));
  await embedding.ended;
  const restarted = terminal(embeddingAgain);
  await eventually('all are embedded', () => second.lines >= 22);

  const [nats, chunkingLast, embeddingLast, wednesday, verify, ...rest] = last;
  expect(rest).toEqual([]);
  expect(run(nats)).toContain('created stream parsed');
  await Promise.all([chunking.stop(), restarted.stop()]);
  terminal(chunkingLast);
  terminal(embeddingLast);
  const before = second.lines;
  run(wednesday);
  await eventually('all are embedded', () => second.lines >= before + 11);
  expect(run(verify)).toContain('The audit log is sound.');
});
