import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { final } from '../handler/verdict.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import type { LogFields } from './worker-log.ts';

const warnings: string[] = [];
const lines: string[] = [];

beforeEach(() => {
  warnings.length = 0;
  lines.length = 0;
  vi.spyOn(process, 'emitWarning').mockImplementation(((text: string, of: { code: string }) => {
    warnings.push(`${of.code}: ${text}`);
    // Of its overloads this is the one that is called.
  }) as typeof process.emitWarning);
  vi.spyOn(process.stderr, 'write').mockImplementation(((line: string) => {
    lines.push(line);
    return true;
    // The same.
  }) as typeof process.stderr.write);
});
afterEach(() => void vi.restoreAllMocks());

/** A worker with a job that succeeds and one that dies, on a store that is away for a moment. */
async function work(options: JobsOptions = {}): Promise<void> {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const store = faultyStore(memoryStore({ clock }));
  const handlers = { good: () => 'done', bad: () => final('no such\nfile') };
  const jobs = jobsOn(store, handlers, { clock, worker: 'w', ...options });
  await jobs.start();
  await jobs.enqueue('good', null);
  for (let n = 0; n < 3; n += 1) await jobs.enqueue('bad', null);
  await clock.advance(1_000);
  store.fault = { calls: ['pulse'], when: 'before' };
  await clock.advance(2_000);
  store.fault = undefined;
  await clock.advance(60_000);
  for (let n = 0; n < 2; n += 1) await jobs.enqueue('bad', null);
  await clock.advance(1_000);
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  expect(clock.pendingTimers).toBe(0);
}

describe('an embedded worker', () => {
  it('logs warnings and errors to process.emitWarning by default', async () => {
    await work();
    expect(warnings).toEqual([
      expect.stringMatching(/^job\.dead: bad \S+: Given up \(final_error\): no such file$/),
      'job.dead: bad: there are more of these; they are counted, and the number follows within a minute',
      expect.stringMatching(/^store\.unavailable: The store does not answer, next try in/),
      expect.stringMatching(/^store\.unavailable: there are more of these;/),
      'job.dead: bad: 2 more of these',
      expect.stringMatching(/^store\.unavailable: \d+ more of these$/),
      expect.stringMatching(/^job\.dead: bad \S+: Given up \(final_error\): no such file$/),
      expect.stringMatching(/^job\.dead: bad: there are more of these;/),
      'job.dead: bad: 1 more of these',
    ]);
    expect(lines).toEqual([]);
  });

  it('logs lines at info by one option', async () => {
    await work({ log: 'info' });
    expect(warnings).toHaveLength(9);
    expect(lines.length).toBeGreaterThan(8);
    expect(lines[0]).toBe('2026-01-01T00:00:00.000Z info redrive Works on good, bad\n');
    expect(lines.join('')).toMatch(/ info redrive good \S+: Initial attempt started\n/);
    expect(lines.at(-1)).toMatch(/ info redrive Stopped\n$/);
    for (const line of lines) expect(line).toMatch(/^[^\n]+\n$/);
  });

  it.each<[string, JobsOptions]>([
    ['log: off', { log: 'off' }],
    ['onNotice', { onNotice: () => {} }],
  ])('logs nothing with %s', async (_name, options) => {
    await work(options);
    expect({ warnings, lines }).toEqual({ warnings: [], lines: [] });
  });

  it('logs to a logger instead, with the level and the fields of every line', async () => {
    const logged: string[] = [];
    const at = (level: string) => (fields: LogFields) =>
      void logged.push(`${level} ${fields.event}`);
    const notices: string[] = [];
    await work({
      log: { info: at('info'), warn: at('warn'), error: at('error') },
      onNotice: ({ kind }) => void notices.push(kind),
    });
    expect({ warnings, lines }).toEqual({ warnings: [], lines: [] });
    expect(logged).toContain('info attempt.started');
    expect(logged).toContain('error store.unavailable');
    expect(logged.filter((line) => line === 'error job.dead')).toHaveLength(5);
    expect(notices).toContain('store_unavailable');
  });

  it('says which attempts the limit counts when a job that was requeued dies again', async () => {
    const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
    const store = memoryStore({ clock });
    const given: string[] = [];
    const note = () => {};
    const error = ({ event }: LogFields, text?: string) => {
      if (event === 'retry.exhausted') given.push(text ?? '');
    };
    const bad = () => {
      throw new Error('connection reset');
    };
    const options = {
      clock,
      policies: () => ({ maxAttempts: 1 }),
      log: { info: note, warn: note, error },
    };
    const jobs = jobsOn(store, { bad }, options);
    await jobs.start();
    const { id } = await jobs.enqueue('bad', null);
    await clock.advance(1_000);
    await store.apply([{ kind: 'act', act: 'requeue', id, actor: { name: 'ann' } }]);
    await clock.advance(1_000);
    await jobs.stop();
    expect(given).toEqual([
      'Gave up after 1 of 1 attempts: connection reset',
      'Gave up after 2 attempts; the limit of 1 leaves out uncharged ones and those before a requeue: connection reset',
    ]);
  });

  it('goes on where its logger throws', async () => {
    const fail = () => {
      throw new Error('disk full');
    };
    await work({ log: { info: fail, warn: fail, error: fail } });
    expect({ warnings, lines }).toEqual({ warnings: [], lines: [] });
  });

  it('refuses a log that is none', () => {
    const store = memoryStore();
    // A caller without types.
    const log = 'debug' as 'info';
    expect(() => jobsOn(store, {}, { log })).toThrow(
      /log must be off, warn, info, or a logger with info, warn and error/,
    );
  });
});
