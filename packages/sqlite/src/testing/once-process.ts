import { appendFileSync } from 'node:fs';
import { openMade } from './open-made.ts';

// A process beside the test: many callers at once want something done under one key. Every run leaves a line in a file.
// As `hold`, the run never ends: the test kills the process.

const [path = '', effects = '', role = 'call', leaseMs = '60000'] = process.argv.slice(2);
const store = await openMade(path, { timeoutMs: 30_000 });
const ledger = store.ledger();

function run(): Promise<string> | string {
  appendFileSync(effects, `${process.pid}\n`);
  if (role === 'call') return `by ${process.pid}`;
  process.send?.('held');
  return new Promise<string>(() => {});
}

process.send?.('ready');
process.once('message', async () => {
  const callers = role === 'call' ? 50 : 1;
  const request = { key: 'k', leaseMs: Number(leaseMs) };
  const answers = await Promise.all(
    Array.from({ length: callers }, () => ledger.once(request, run)),
  );
  process.send?.(answers);
  await store.close();
  process.disconnect();
});
