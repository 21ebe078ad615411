import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@redrive/durable/audit';
import { expect, onTestFinished, test } from 'vitest';
import { openMade } from './testing/open-made.ts';
import { scratch } from './testing/scratch.ts';

const POINTS = ['open', 'items', 'seal', 'end'].flatMap((at) => [`before ${at}`, `after ${at}`]);

test.each(POINTS)(
  'killed %s, and started again: each item runs, and the job that follows runs once',
  async (point) => {
    const place = scratch();
    onTestFinished(() => place.remove());
    const log = join(place.directory, 'log');
    const run = async (...args: readonly string[]) => {
      const file = join(import.meta.dirname, 'testing/batch-process.ts');
      const child = fork(file, [place.path, log, ...args], { stdio: 'inherit', execArgv: [] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return once(child, 'exit');
    };
    expect(await run(point)).toEqual([null, 'SIGKILL']);
    expect(await run()).toEqual([0, null]);

    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect(lines.filter((line) => line === 'index')).toHaveLength(1);
    expect(new Set(lines.filter((line) => line.startsWith('page'))).size).toBe(1_200);
    const store = await openMade(place.path);
    expect((await store.batch('book'))?.counts).toMatchObject({ total: 1_200, succeeded: 1_200 });
    const reader = await store.readAudit();
    expect((await verifyAudit(reader)).problems).toEqual([]);
    await reader.close();
    await store.close();
  },
);
