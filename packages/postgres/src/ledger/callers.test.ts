import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

const open = (schema: string) => openMade(server.url, { schema, onWarning: () => {} });

/** Fifty callers with one key, in a process of their own. Prints how many of them ran. */
const OTHER_PROCESS = `
  const { openStore } = await import(process.argv[1]);
  const store = await openStore(process.argv[2], { schema: process.argv[3], onWarning: () => {} });
  const ledger = store.ledger();
  let runs = 0;
  const run = async () => { runs += 1; return { by: process.pid }; };
  const answers = await Promise.all(Array.from({ length: 50 }, () => ledger.once({ key: 'k' }, run)));
  console.log(JSON.stringify({ runs, answers: [...new Set(answers.map(({ by }) => by))] }));
  await store.close();`;

describe('callers with one key', () => {
  it('of two stores: a hundred, and one runs', async () => {
    const schema = server.newSchema();
    const stores = [await open(schema), await open(schema)];
    let runs = 0;
    const answers = await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 50 }, () =>
          store.ledger().once({ key: 'k' }, async () => {
            runs += 1;
            return { run: runs };
          }),
        ),
      ),
    );
    expect(runs).toBe(1);
    expect(answers).toEqual(Array.from({ length: 100 }, () => ({ run: 1 })));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('of two processes: a hundred, and one runs', async () => {
    const schema = server.newSchema();
    await (await open(schema)).close();
    const built = new URL('../../dist/index.js', import.meta.url).href;
    const args = ['--input-type=module', '-e', OTHER_PROCESS, built, server.url, schema];
    const outputs = await Promise.all(
      [1, 2].map(() => promisify(execFile)(process.execPath, args)),
    );
    const reports = outputs.map(
      ({ stdout }) => JSON.parse(stdout) as { runs: number; answers: number[] },
    );
    expect(reports.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
    expect(new Set(reports.flatMap(({ answers }) => answers)).size).toBe(1);
  });

  it('find what was recorded before the store was opened anew', async () => {
    const schema = server.newSchema();
    const store = await open(schema);
    const ledger = store.ledger();
    await ledger.once({ key: 'kept' }, () => 1);
    const held = await ledger.reserve('held', { fingerprint: '', leaseMs: 60_000 });
    await store.close();
    const again = await open(schema);
    expect(await again.ledger().once({ key: 'kept' }, () => 2)).toBe(1);
    const state = await again.ledger().reserve('held', { fingerprint: '', leaseMs: 1 });
    expect([held.state, state.state]).toEqual(['reserved', 'in_progress']);
    await again.close();
  });
});
