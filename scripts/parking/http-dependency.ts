// What the jobs of `real-outage.ts` talk to, as a process of its own that can be killed. Its log is the evidence.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [port = '0', logFile = ''] = process.argv.slice(2);
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const worker = searchParams.get('worker') ?? '';
  appendFileSync(logFile, `${JSON.stringify({ atMs: Date.now(), worker })}\n`);
  response.end();
});
server.listen(Number(port), '127.0.0.1', () => {
  const { port: own } = server.address() as AddressInfo; // It listens on a port.
  process.send?.(own);
});
