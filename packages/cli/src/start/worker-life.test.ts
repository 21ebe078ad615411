import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokenStore } from '../testing/job-store.ts';
import type { RunOptions } from '../testing/run-main.ts';
import {
  CONFIG,
  POLICIES,
  runningWorker,
  type WorkerPlace,
  workerPlace,
} from '../testing/worker-place.ts';

const setUp = (config?: string) => workerPlace(onTestFinished, config);
const running = (
  place: Pick<WorkerPlace, 'start'>,
  args: readonly string[],
  options?: RunOptions,
) => runningWorker(onTestFinished, place, args, options);

const SLOW = `${POLICIES}jobs:
  grace_seconds: 20
  handlers:
    slow: { module: "./slow.mjs", policy: quick, idempotent: true }
`;

const SLOW_HANDLER = `
export default (payload, { signal }) => new Promise((resolve, reject) => {
  globalThis.endSlowJob = () => resolve('done');
  if (!payload.deaf) signal.addEventListener('abort', () => reject(signal.reason));
});
`;

async function slowJob(payload: object) {
  const all = setUp(SLOW);
  writeFileSync(join(all.directory, 'slow.mjs'), SLOW_HANDLER);
  const { id } = await all.client.enqueue('slow', payload);
  return { ...all, id };
}

describe('signals', () => {
  test('the first one lets running jobs end, and the exit code is 0', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    // The module is the handler's own: this is how its job is told to end.
    Object(globalThis).endSlowJob();
    expect((await worker.ran).exitCode).toBe(0);
    expect((await all.client.job(all.id))?.state).toBe('succeeded');
    expect(worker.lines().at(-1)).toMatchObject({ event: 'worker.stopped', abandoned: 0 });
  });

  test('when the grace time is over, jobs are given back at no cost', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off', '--grace', '50ms']);
    await worker.line('attempt.started');
    worker.signal('SIGINT');
    expect((await worker.ran).exitCode).toBe(0);
    const job = await all.client.job(all.id);
    expect(job).toMatchObject({ state: 'ready', reason: 'interrupted', retryCount: 0 });
  });

  test('a second one gives them back at once, and ends with 130', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    worker.signal('SIGTERM');
    expect((await worker.ran).exitCode).toBe(130);
    expect((await all.client.job(all.id))?.state).toBe('ready');
  });

  test('a job that does not listen is left behind, and the process ends all the same', async () => {
    const all = await slowJob({ deaf: true });
    const worker = running(all, ['--health-port', 'off', '--grace', '10ms']);
    await worker.line('attempt.started');
    worker.signal('SIGTERM');
    expect((await worker.ran).exitCode).toBe(5);
    expect(worker.exits).toEqual([5]);
    Object(globalThis).endSlowJob();
  });

  test('one before it was idle ends --until-idle with 130', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--until-idle', '--grace', '10ms']);
    await worker.line('attempt.started');
    worker.signal('SIGINT');
    expect((await worker.ran).exitCode).toBe(130);
  });
});

describe('health', () => {
  const get = async (port: unknown, path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };

  test('live and ready while it works; not ready while it stops', async () => {
    const all = await slowJob({});
    const worker = running(all, ['--health-port', '0']);
    const { port } = await worker.line('health.listening');
    await worker.line('attempt.started');
    expect(await get(port, '/livez')).toEqual([200, 'ok\n']);
    expect(await get(port, '/readyz')).toEqual([200, 'ok\n']);
    expect(await get(port, '/readyz?verbose')).toEqual([200, '[+]worker ok\n[+]store ok\nok\n']);
    expect((await get(port, '/metrics'))[0]).toBe(200);
    expect((await get(port, '/debug'))[0]).toBe(404);
    worker.signal('SIGTERM');
    await worker.line('worker.stopping');
    expect(await get(port, '/readyz')).toEqual([503, '[-]worker stopping\nnot ready\n']);
    expect(await get(port, '/livez')).toEqual([200, 'ok\n']);
    Object(globalThis).endSlowJob();
    await worker.ran;
    await expect(get(port, '/livez')).rejects.toThrow();
  });

  test('not ready when the store does not answer', async () => {
    const all = setUp();
    let away = false;
    const store: FullStore = {
      ...all.store,
      pulse: (handlers) => (away ? brokenStore(all.store) : all.store).pulse(handlers),
    };
    const worker = running(all, ['--health-port', '0'], { store });
    const { port } = await worker.line('health.listening');
    away = true;
    expect(await get(port, '/readyz')).toEqual([503, '[-]store The store is away\nnot ready\n']);
    expect((await get(port, '/livez'))[0]).toBe(200);
  });

  test('a port that was named must be had; the default one is left to who has it', async () => {
    const first = running(setUp(), ['--health-port', '0']);
    const { port } = await first.line('health.listening');
    const named = await setUp().start(['--health-port', String(port)]);
    expect(named.exitCode).toBe(1);
    expect(named.stderr).toMatch(/Health cannot be served on port \d+: .*EADDRINUSE/);
    const inFile = `${CONFIG}  health_port: ${port}\n`;
    const second = running(setUp(inFile), []);
    expect(await second.line('health.unavailable')).toMatchObject({ level: 'warn', port });
    await second.line('worker.started');
  });
});

describe('reload', () => {
  test('a changed policy reaches what waits; a bad file leaves the last good one in force', async () => {
    const all = setUp(CONFIG.replace('base_delay: 0.01', 'base_delay: 0.5'));
    const worker = running(all, ['--health-port', 'off']);
    await worker.line('worker.started');
    const write = (text: string) => writeFileSync(join(all.directory, 'redrive.yaml'), text);
    write('version: "1.1.0"\npolicies: { quick: { max_attempts: 0 } }\n');
    const problem = await worker.line('config.problem');
    expect(problem).toMatchObject({ level: 'error', file: 'redrive.yaml' });
    expect(problem.msg).toContain('the last good configuration stays in force');
    const kept = await all.client.enqueue('mail', { failures: 9 });
    expect(await worker.line('retry.scheduled')).toMatchObject({ job: kept.id, max_attempts: 3 });
    write(
      `${CONFIG}sweeps: { interval: 60 }\n`
        .replace('max_attempts: 3', 'max_attempts: 1')
        .replace('handlers:', 'concurrency: 7\n  handlers:'),
    );
    expect((await worker.line('config.changed')).msg).toMatch(/quick\.max_attempts: 3 → 1/);
    expect(await worker.line('config.needs_restart')).toMatchObject({
      paths: ['jobs.concurrency', 'sweeps.interval'],
    });
    // It waits for its second attempt, which the new policy does not allow any more.
    await worker.line('retry.exhausted');
    const blocks = await all.store.auditBlocks(0, 100);
    const notes = blocks
      .flatMap((block) => recordsIn(block))
      .filter(({ event }) => event === 'config');
    expect(notes.map(({ id }) => id)).toEqual(['redrive.yaml', 'redrive.yaml']);
    const [atStart, atChange] = notes.map((note) => note.detail);
    expect(atStart).toMatchObject({ cause: 'start', by: expect.stringContaining('@') });
    expect(atChange).toMatchObject({ cause: 'file', hash_before: atStart?.hash_after });
  });

  test('the first channel needs a restart, and a further one does not', async () => {
    const channel = (name: string) => `${name}: { url: "https://hooks.example/${name}" }`;
    const escalating = (...names: string[]) =>
      `${CONFIG}escalation: { channels: { ${names.map(channel).join(', ')} } }\n`;
    const first = setUp();
    const worker = running(first, ['--health-port', 'off']);
    await worker.line('worker.started');
    writeFileSync(join(first.directory, 'redrive.yaml'), escalating('pager'));
    const { paths } = await worker.line('config.needs_restart');
    expect(paths).toEqual([expect.stringMatching(/^escalation\.channels\.pager/)]);
    const second = setUp(escalating('pager'));
    const looking = running(second, ['--health-port', 'off']);
    await looking.line('worker.started');
    const changed = escalating('pager', 'mail').replace('handlers:', 'concurrency: 7\n  handlers:');
    writeFileSync(join(second.directory, 'redrive.yaml'), changed);
    expect((await looking.line('config.needs_restart')).paths).toEqual(['jobs.concurrency']);
  });
});
