import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { configuredBreakers } from './configured-breakers.ts';
import { configuredBudgets } from './configured-budgets.ts';

function configOf(sections: string) {
  const { config, problems } = parseConfig(`version: "1.1.0"\n${sections}`);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

const failure = { errorClass: 'retryable', effect: 'unknown' } as const;

function fail(breaker: ReturnType<ReturnType<typeof configuredBreakers>['for']>, times: number) {
  for (let i = 0; i < times; i++) {
    const permit = breaker.admit();
    breaker.record(permit, failure);
  }
}

describe('budgets', () => {
  it('have what the file says, and core’s defaults where it says nothing', () => {
    const clock = virtualClock();
    const config = configOf('budgets: { images: { burst: 3, floor_per_second: 2, ratio: 0.5 } }');
    const budgets = configuredBudgets(() => config, { clock });
    const images = budgets.for('images');
    expect(images.tokens).toBe(3);
    for (let i = 0; i < 3; i++) images.take('retryable');
    images.deposit();
    expect(images.tokens).toBe(0.5);
    clock.tick(250);
    expect(images.tokens).toBe(1);
    expect(budgets.for('images')).toBe(images);
    expect(budgets.for('mail').tokens).toBe(100);
  });

  it('change with the file, and only those that it changes', () => {
    let config = configOf('budgets: { images: { burst: 3 }, mail: { burst: 5 } }');
    const budgets = configuredBudgets(() => config);
    const [images, mail] = [budgets.for('images'), budgets.for('mail')];
    mail.take('retryable');
    config = configOf('budgets: { images: { burst: 9 }, mail: { burst: 5 } }');
    expect(budgets.for('images')).not.toBe(images);
    expect(budgets.for('images').tokens).toBe(9);
    expect(budgets.for('mail')).toBe(mail);
  });
});

describe('breakers', () => {
  it('take threshold and timeout from the policy where the file has none', () => {
    const clock = virtualClock();
    const config = configOf('breakers: { images: { threshold: 2 } }');
    const breakers = configuredBreakers(() => config, { clock });
    const images = breakers.for('images', { threshold: 7, timeoutMs: 5_000 });
    fail(images, 2);
    expect(images.state).toBe('open');
    expect(images.openForMs()).toBe(5_000);
    const mail = breakers.for('mail', { threshold: 7, timeoutMs: 5_000 });
    fail(mail, 6);
    expect(mail.state).toBe('closed');
    fail(mail, 1);
    expect(mail.state).toBe('open');
    expect(breakers.states().map((state) => [state.policy_id, state.state])).toEqual([
      ['images', 'open'],
      ['mail', 'open'],
    ]);
  });

  it('are shared for jobs, with the settings of the file; in mode ratio each process has its own', () => {
    const config = configOf('breakers: { images: { timeout: 3 }, mail: { mode: ratio } }');
    const breakers = configuredBreakers(() => config);
    const settings = { threshold: 7, timeoutMs: 5_000 };
    expect(breakers.forJobs('images', settings)).toEqual({ threshold: 7, timeoutMs: 3_000 });
    expect(breakers.forJobs('bank', settings)).toEqual(settings);
    expect(breakers.forJobs('mail', settings)).toBe(breakers.for('mail', settings));
  });

  it('take every value of the file, in its units', () => {
    const clock = virtualClock();
    const config = configOf(
      'breakers: { images: { mode: ratio, ratio: 0.5, window: 2, minimum_calls: 4, timeout: 3, probes: 2, probe_ratio: 0.5, probe_timeout: 1 } }',
    );
    const images = configuredBreakers(() => config, { clock }).for('images', { timeoutMs: 60_000 });
    fail(images, 3);
    // The first three fall out of the window of two seconds.
    clock.tick(2_300);
    fail(images, 3);
    expect(images.state).toBe('closed');
    fail(images, 1);
    expect(images.state).toBe('open');
    expect(images.openForMs()).toBe(3_000);
    clock.tick(3_000);
    const probes = [images.admit(), images.admit()];
    expect(probes.every((permit) => permit > 0)).toBe(true);
    expect(images.openForMs()).toBe(1_000);
    images.record(probes[0] ?? -1, failure);
    expect(images.state).toBe('half_open');
    images.record(probes[1] ?? -1, undefined);
    expect(images.state).toBe('closed');
  });

  it('are one for two policies that wish for different things, whatever else a reload changes', () => {
    let config = configOf('breakers: {}');
    const breakers = configuredBreakers(() => config);
    const first = breakers.for('images', { threshold: 2, timeoutMs: 1_000 });
    expect(breakers.for('images', { threshold: 9, timeoutMs: 1_000 })).toBe(first);
    config = configOf('budgets: { images: { burst: 1 } }');
    expect(breakers.for('images', { threshold: 9, timeoutMs: 1_000 })).toBe(first);
    expect(breakers.for('images', { threshold: 2, timeoutMs: 1_000 })).toBe(first);
  });

  it('are made anew when a reload changes their entry or their policy', () => {
    let config = configOf('breakers: { images: { probes: 1 } }');
    const breakers = configuredBreakers(() => config);
    const settings = { threshold: 1, timeoutMs: 1_000 };
    const first = breakers.for('images', settings);
    fail(first, 1);
    config = configOf('breakers: { images: { probes: 2 } }');
    const second = breakers.for('images', settings);
    expect([first.state, second.state]).toEqual(['open', 'closed']);
    config = configOf('breakers: { images: { probes: 2 } }');
    expect(breakers.for('images', settings)).toBe(second);
    config = configOf('breakers: { images: { probes: 2 } }');
    expect(breakers.for('images', { threshold: 3, timeoutMs: 1_000 })).not.toBe(second);
  });
});
