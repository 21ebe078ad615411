import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

// Each program is stopped in the middle, as by a power failure, and run again. What its handlers did stands in a file that
// Redrive does not know of.

interface Program {
  readonly args?: readonly string[];
  readonly places: readonly string[];
  /** Every line of the file, in order of the alphabet. */
  readonly done: readonly string[];
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  'slots.ts': {
    places: ['ada has enqueued', 'bob is served'],
    done: ['refreshed berlin'],
  },
  'own-scheduler.ts': {
    args: ['2026-01-31'],
    places: ['enqueued', 'done'],
    done: ['report of 2026-01-31'],
  },
  'chain.ts': {
    places: [
      'the first job is enqueued',
      'the next job is enqueued',
      'the next job is done',
      'all is done',
    ],
    done: ['invoiced 7', 'packed 7'],
  },
  'change-over.ts': {
    places: ['page 1 is enqueued', 'page 2 is done'],
    done: ['mail to ada', 'mail to bob', 'mail to dan', 'mail to eve', 'mail to zoe'],
  },
};

describe.each(Object.entries(PROGRAMS))('%s', (file, { args = [], places, done }) => {
  test.each([...places, 'nowhere'])('stopped where %s, and run again', (place) => {
    const directory = mkdtempSync(join(tmpdir(), 'redrive-once-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const failed = ['ada', 'bob', 'dan', 'eve', 'zoe'].map((to, id) =>
      JSON.stringify({ id: `${id}`, to }),
    );
    writeFileSync(join(directory, 'failed.jsonl'), failed.join('\n'));
    // On a busy machine a worker warns of what takes long.
    const command = ['--disable-warning=RedriveWarning', join(import.meta.dirname, file)];
    const run = (stop: string) =>
      spawnSync(process.execPath, [...command, directory, ...args], {
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, STOP_AT: stop },
      });
    const first = run(place);
    expect([first.signal, first.stderr]).toEqual([place === 'nowhere' ? null : 'SIGKILL', '']);
    expect(run('nowhere')).toMatchObject({ status: 0, stderr: '' });
    const lines = readFileSync(join(directory, 'done'), 'utf8').trim().split('\n');
    expect(lines.sort()).toEqual(done);
  });
});
