import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { adviceFor } from './dlq/letter-lines.ts';
import { openBreaker, withWorker } from './testing/control-states.ts';
import { deadLetters } from './testing/dead-letters.ts';
import { jobStore, START } from './testing/job-store.ts';
import { runMain } from './testing/run-main.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

test('a store that does not exist has one text, whether its file is missing or empty', async () => {
  const directory = scratchDirectory(onTestFinished, {});
  writeFileSync(join(directory, 'empty.db'), '');
  const said = async (name: string) => {
    const { exitCode, stderr } = await runMain(['status', '--store', `sqlite:./${name}.db`], {
      directory,
    });
    expect(exitCode).toBe(8);
    return stderr.replace(`${name}.db`, 'x.db');
  };
  expect(await said('missing')).toBe(
    `redrive: The store ${join(directory, 'x.db')} does not exist. A worker ("redrive start"), the first job that is enqueued, "redrive kill engage" and "redrive store migrate" create it; in a program, "await store.migrate()".\nTo look elsewhere, use --store, REDRIVE_STORE or the configuration.\n`,
  );
  expect(await said('empty')).toBe(await said('missing'));
});

test('audit verify says whether a worker is there to seal', async () => {
  const { store, clock, jobs } = jobStore(virtualClock(START));
  await jobs.enqueue('mail', {});
  const verify = async (on = store) =>
    words((await runMain(['audit', 'verify'], { store: on, clock })).stdout);
  expect(await verify()).toContain(
    '1 is not sealed: no worker is running, and only workers seal. To seal it, start one: redrive start',
  );
  expect(await verify(withWorker(store))).toContain(
    'not sealed yet: a running worker seals about once a second.',
  );
  const unknown = { ...store, workers: () => Promise.reject(new Error('not permitted')) };
  expect(await verify(unknown)).toContain(
    '1 is not sealed: only workers seal, and this command does not see whether one runs.',
  );
  await store.seal();
  expect(await verify()).toContain(
    'Save this head where nobody who can write to the store can change it, and give it to the next run with --head: only then does it find out that the end of the log was cut off.',
  );
});

test('workers list and status say that the running jobs are as of the last report', async () => {
  const { store, clock, jobs } = jobStore(virtualClock(START));
  await jobs.enqueue('mail', {});
  const facts = { host: 'web-1', pid: 4711, version: '0.1.0', concurrency: 10, running: 3 };
  await store.reportWorker({ name: 'api-1', ...facts, handlers: ['mail'], state: 'working' });
  const list = (await runMain(['workers', 'list'], { store, clock })).stdout;
  expect(list).toContain(
    '"running" is the number at the last report; a worker reports every 10 s.',
  );
  const status = (await runMain(['status'], { store, clock })).stdout;
  expect(status).toMatch(/^worker +running +last report +handlers$/m);
});

test('ops show says why nothing moves without a worker, and what to do', async () => {
  const { store, clock, run } = await deadLetters(virtualClock(START), 3);
  await run('requeue --all --yes --operation incident-7 --detach');
  const { stdout, stderr } = await runMain(['ops', 'show', 'incident-7'], { store, clock });
  expect(words(stdout)).toContain('runs in no process: it waits for a worker, and none is alive');
  expect(words(stderr)).toBe(
    'Workers carry out this bulk operation, and no worker is alive. To continue it, start a worker: redrive start. To end it: redrive ops abort incident-7',
  );
});

test('a breaker that does not exist is named with its dependency', async () => {
  const { store, clock } = jobStore(virtualClock(START));
  const said = async () => (await runMain(['breakers', 'show', 'stripe'], { store, clock })).stderr;
  expect(await said()).toBe(
    'redrive: The dependency stripe has no breaker.\nA breaker is created when a job with this dependency fails, or when an operator forces it.\n',
  );
  await openBreaker(store);
  expect(await said()).toBe(
    'redrive: The dependency stripe has no breaker.\nDependencies with a breaker: bank.\n',
  );
});

test('kill engage on a queue without jobs says what it does', async () => {
  const { store, clock, jobs } = jobStore(virtualClock(START));
  await jobs.enqueue('mail', {});
  const { stdout } = await runMain(['kill', 'engage', 'queue', 'night'], { store, clock });
  expect(words(stdout)).toMatch(
    /within a second\. No unfinished job is affected now; new jobs wait until the switch is released\.$/,
  );
});

test('a dead letter whose process ended says how the job became the suspect', () => {
  expect(adviceFor('max_attempts_exceeded', 'lease_lost')).toBe(
    'Its worker process ended while it ran this job and no other, so the job is the likely cause: find out why the handler ends its process, then requeue it.',
  );
});

test('a requeue of one dead letter speaks of one', async () => {
  const { run, ids } = await deadLetters(virtualClock(START), 1);
  expect(words((await run(`requeue ${ids[0]}`)).stdout)).toBe(
    '1 dead letter was requeued. It begins a new generation with all its attempts.',
  );
});
