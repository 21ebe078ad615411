import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('redrive start looks and notifies a webhook when escalation is configured', async () => {
  const { got, port } = await pager();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
jobs:
  health_port: 0
  handlers: { pay: { command: ["/bin/sh", "-c", "exit 65"], idempotent: true } }
${escalationTo(port)}`,
  });
  const run = (...args: string[]) => runMain(args, { directory });
  await run('jobs', 'enqueue', 'pay', '--payload', '{}');
  await run('start', '--until-idle');
  await run('schedules', 'run', 'escalation.look');
  await run('start', '--until-idle');
  await run('start', '--until-idle');
  expect(got.map((body) => JSON.parse(body))).toMatchObject([{ tier: 3, failed: 1 }]);
});

test('a night with 500 numbered failures is one cause and one notification', async () => {
  const { got, port } = await pager();
  const directory = scratchDirectory(onTestFinished, {
    'handlers.mjs': `export const pay = {
  idempotent: true,
  policy: { id: 'once', maxAttempts: 1, baseDelayMs: 1 },
  run: (n) => { throw new Error(\`customer \${n} not found\`); },
};\n`,
    'redrive.yaml': `version: "1.1.0"
jobs:
  health_port: 0
  handlers: { pay: { module: ./handlers.mjs, export: pay, idempotent: true } }
${escalationTo(port)}`,
    'numbers.jsonl': Array.from({ length: 500 }, (_, n) => `${n + 250}\n`).join(''),
  });
  const run = (...args: string[]) => runMain(args, { directory });
  await run('jobs', 'enqueue', 'pay', '--from', 'numbers.jsonl');
  for (let look = 0; look < 3; look += 1) {
    await run('start', '--until-idle');
    await run('schedules', 'run', 'escalation.look');
  }
  await run('start', '--until-idle');
  const { groups } = JSON.parse((await run('dlq', 'groups', '--json')).stdout);
  expect(groups).toMatchObject([{ pattern: 'Error: customer <n> not found', count: 500 }]);
  expect(got.map((body) => JSON.parse(body))).toMatchObject([
    { tier: 3, failed: 500, title: 'Error: customer <n> not found' },
  ]);
});

/** A webhook that keeps what it gets. */
async function pager() {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (data) => got.push(String(data)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, port: (server.address() as AddressInfo).port };
}

function escalationTo(port: number): string {
  return `escalation:
  allow_http: ["127.0.0.1"]
  allow_private: ["127.0.0.1"]
  channels: { pager: { url: "http://127.0.0.1:${port}/" } }
`;
}
