import { describe, expect, it } from 'vitest';
import { workBench } from '../testing/work-bench.ts';

describe('idle', () => {
  it('resolves when no job is left to run, and counts the dead ones', async () => {
    const { jobs, clock } = workBench({
      run: {
        run: (n: number) => {
          if (n === 2) throw new TypeError('broken');
        },
      },
    });
    await jobs.enqueueMany('run', [1, 2, 3]);
    await jobs.enqueue('run', 4, { delayMs: 60_000 });
    await jobs.start();
    let report: unknown;
    void jobs.idle().then((answer) => {
      report = answer;
    });
    await clock.advance(59_999);
    expect(report).toBeUndefined();
    await clock.advance(1_000);
    expect(report).toEqual({ died: 1, succeeded: 3, left: [] });
  });

  it('counts jobs that died at their deadline', async () => {
    const { jobs, clock } = workBench({ run: () => {} }, { queues: ['served'] });
    await jobs.enqueue('run', null, {
      queue: 'served',
      delayMs: 10_000,
      deadline: new Date(clock.now() + 5_000),
    });
    await jobs.start();
    const idle = jobs.idle();
    await clock.advance(20_000);
    expect(await idle).toEqual({ died: 1, succeeded: 0, left: [] });
  });

  it('looks at the queues that are served, only', async () => {
    const { jobs, clock } = workBench({ run: () => {} }, { queues: ['served'] });
    await jobs.enqueue('run', null, { queue: 'another' });
    const idle = jobs.idle();
    await clock.advance(0);
    expect(await idle).toEqual({ died: 0, succeeded: 0, left: [] });
  });
});
