import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('redrive start looks and notifies a webhook when escalation is configured', async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (data) => got.push(String(data)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
jobs:
  health_port: 0
  handlers: { pay: { command: ["/bin/sh", "-c", "exit 65"], idempotent: true } }
escalation:
  allow_http: ["127.0.0.1"]
  allow_private: ["127.0.0.1"]
  channels: { pager: { url: "http://127.0.0.1:${port}/" } }
`,
  });
  const run = (...args: string[]) => runMain(args, { directory });
  await run('jobs', 'enqueue', 'pay', '--payload', '{}');
  await run('start', '--until-idle');
  await run('schedules', 'run', 'escalation.look');
  await run('start', '--until-idle');
  await run('start', '--until-idle');
  expect(got.map((body) => JSON.parse(body))).toMatchObject([{ tier: 3, failed: 1 }]);
});
