import { describe, expect, it, onTestFinished } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { scriptPlace } from '../testing/shell-scripts.ts';
import { manyCommandHandler } from './many-command-handler.ts';

/** Jobs that one call of a program in JavaScript does: `jobs` are its lines, and `say` writes one. */
async function outcomes(
  program: string,
  payloads: readonly unknown[],
  ids: readonly string[] = [],
) {
  const { script } = scriptPlace(onTestFinished);
  const text = `const say = (line) => console.log(JSON.stringify(line));
    const jobs = require('node:fs').readFileSync(0, 'utf8').trim().split('\\n').map((line) => JSON.parse(line));
    ${program}`;
  const [file = ''] = script(`exec "${process.execPath}" -e "$PROGRAM"`);
  const lines = manyCommandHandler({
    command: [file],
    env: { PROGRAM: text },
    upTo: payloads.length,
    policy: { maxAttempts: 1 },
  });
  const jobs = jobsOn(memoryStore(), { lines }, { log: 'off' });
  onTestFinished(() => jobs.stop({ mode: 'release' }));
  const enqueued = await jobs.enqueueMany('lines', [...payloads], (_, n) => {
    const id = ids[n];
    return id === undefined ? undefined : { id };
  });
  await jobs.start();
  return Promise.all(
    enqueued.map(async (job) => {
      await jobs.wait(job).catch(() => {});
      const found = await jobs.job(job.id);
      const error = found?.attempts.kept[0]?.error?.message;
      return [found?.state, found?.result, error].filter((one) => one !== undefined);
    }),
  );
}

describe('a command that takes many jobs', () => {
  it('gets a line per job, and answers with a line per job in any order', async () => {
    const program = `for (const { job_id, payload } of jobs.reverse()) say({ job_id, result: payload * 2 });`;
    expect(await outcomes(program, [1, 2, 3])).toEqual([
      ['succeeded', '2'],
      ['succeeded', '4'],
      ['succeeded', '6'],
    ]);
  });

  it('a line says what is known of its job', async () => {
    const program = `say({ job_id: jobs[0].job_id, result: jobs });`;
    const [[, result = '']] = (await outcomes(program, [{ n: 1 }], ['a'])) as [[string, string]];
    expect(JSON.parse(result)).toEqual([
      {
        job_id: 'id::a',
        attempt: 1,
        token: 1,
        idempotency_key: 'id::a',
        deadline: null,
        payload: { n: 1 },
      },
    ]);
  });

  it('errors are those of their jobs, and lines about nothing are ignored', async () => {
    const program = `
      console.log('begins'); console.log('{broken');
      say({ job_id: 'nobody', result: 1 }); say({ no: 'id' });
      const [a, b, c, d] = jobs.map(({ job_id }) => job_id);
      say({ job_id: a, error: 'no page' });
      say({ job_id: b, error: 'no such file', class: 'final' });
      say({ job_id: c, error: { code: 7 } });
      say({ job_id: d, result: 'first' }); say({ job_id: d, result: 'second' });`;
    expect(await outcomes(program, [1, 2, 3, 4, 5], ['a', 'b', 'c', 'd', 'e'])).toEqual([
      ['dead', 'no page'],
      ['dead', 'no such file'],
      ['dead', '{"code":7}'],
      ['succeeded', '"second"'],
      ['dead', 'The command wrote no line for job id::e'],
    ]);
  });

  it('a job without a line fails as the exit says, and a line counts with any exit', async () => {
    const program = `say({ job_id: jobs[0].job_id, result: 1 }); console.error('disk full'); process.exitCode = 3;`;
    expect(await outcomes(program, [1, 2])).toEqual([
      ['succeeded', '1'],
      ['dead', 'disk full (exit code 3)'],
    ]);
  });

  it('a program that is not there fails all of them', async () => {
    const lines = manyCommandHandler({ command: ['/no/such/program'], upTo: 2 });
    const jobs = jobsOn(memoryStore(), { lines }, { log: 'off' });
    onTestFinished(() => jobs.stop({ mode: 'release' }));
    const [first, second] = await jobs.enqueueMany('lines', [1, 2]);
    await jobs.start();
    for (const job of [first, second]) {
      await jobs.wait(job?.id ?? '').catch(() => {});
      expect(await jobs.job(job?.id ?? '')).toMatchObject({ state: 'dead', reason: 'final_error' });
    }
  });
});
