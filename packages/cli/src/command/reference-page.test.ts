import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { sampleConfig } from '@redrive/config';
import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { carryOutOperation, engageKill, submitOperation } from '@redrive/durable/control';
import { actOnEscalation } from '@redrive/durable/escalation';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import {
  closeGate,
  declareRate,
  declareSchedule,
  makeBatch,
  openBreaker,
  parkJobs,
} from '../testing/control-states.ts';
import { documentsWithAll, SWEEPS_CONFIG } from '../testing/document-place.ts';
import { busWithEvent, EVENTS_CONFIG } from '../testing/event-place.ts';
import { proofText } from '../testing/proof-text.ts';
import { outagesText, RECORDED_POLICIES, recordingText } from '../testing/recording-text.ts';
import { referencePage } from '../testing/reference-page.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { signedIn } from '../testing/signed-in.ts';
import { addCauses } from '../testing/store-with-causes.ts';
import { exitsOf, optionsOf } from './common-options.ts';
import { jsonFields } from './json-fields.ts';

const page = '../../../../docs/reference/command-line.md';

test('the page is what the commands say; `npx vitest run -u` writes it anew', async () => {
  await expect(referencePage(COMMAND_TREE)).toMatchFileSnapshot(page);
});

const commands = COMMAND_TREE.flatMap((each) => ('commands' in each ? each.commands : [each]));

test.each(commands)('$name: every text is one line that a table can hold', (spec) => {
  const texts = [
    spec.summary,
    spec.details ?? '',
    ...(spec.args ?? []).map(({ summary }) => summary),
    ...optionsOf(spec).map(({ summary }) => summary),
    ...jsonFields(spec).flatMap(({ type, meaning }) => [type, meaning]),
    ...exitsOf(spec).map(([, when]) => when),
  ];
  for (const text of texts) expect(text).not.toMatch(/[|\n]/);
  expect(spec.summary).not.toMatch(/\.$/);
});

test.each(commands)('$name: --json is there, and what it prints is documented', (spec) => {
  const { name, json } = spec;
  // It prints a script.
  if (name === 'completion') return;
  expect(optionsOf(spec).map(({ flags }) => flags)).toContain('--json');
  // A JSON Schema is its own documentation.
  if (name !== 'schema') expect(json?.length).toBeGreaterThan(0);
});

/** They go on until a signal comes; each has a test of its own. */
const SLOW = [
  'redrive start --demo',
  'redrive status --watch',
  'redrive serve',
  'redrive serve --port 0 --json',
];
const examples = commands
  .flatMap(({ examples: own = [] }) => own)
  .filter((example) => !SLOW.includes(example));

const RECORDED = `version: "1.1.0"\npolicies:${RECORDED_POLICIES}`;

/** As a shell takes a line apart, as far as the examples go. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test.each(examples)('the example works: %s', async (example) => {
  const sample = / policies (backtest|review|recommend)|lab replay/.test(example)
    ? RECORDED
    : sampleConfig();
  const proof = await proofText();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': /^redrive (?:events|dlq import|sweep|stuck|documents)/.test(example)
      ? sample + EVENTS_CONFIG + SWEEPS_CONFIG
      : sample,
    'old.yaml': /--recording/.test(example) ? RECORDED : sample,
    'new.yaml': RECORDED,
    'recording.jsonl': / recommend /.test(example) ? outagesText(60) : recordingText(),
    'prod.token': 'secret',
    'images.jsonl': '{"image":1}\n{"image":2}\n',
    'sessions.jsonl': '',
    'resize.sh': '#!/bin/sh\n',
    'proof.json': proof,
    'head.json': JSON.stringify({ head: JSON.parse(proof).head }),
  });
  chmodSync(join(directory, 'resize.sh'), 0o755);
  const [command = ''] = example.split(/ [|>] (?!\+)/);
  const store = await storeWith('01a2b3', stateFor(command));
  if (/^redrive (breakers|gates|park) /.test(command)) {
    await openBreaker(store);
    await closeGate(store);
    await parkJobs(store, 'breaker:bank');
  }
  if (command.startsWith('redrive kill release')) {
    const actor = { name: 'test' };
    await engageKill(store, { scope: 'all', actor });
    await engageKill(store, { scope: 'queue', name: 'default', actor });
  }
  if (command.startsWith('redrive schedules ')) {
    await declareSchedule(store);
    // The sample configuration does not have this one.
    await declareSchedule(store, 'hourly');
  }
  if (command.startsWith('redrive escalations ')) {
    const act = { act: 'assign', owner: 'parsing-team', tier: 0, actor: { name: 'test' } } as const;
    for (const key of ['archives', 'fp1:9c1e44d07a5c21f0'])
      await actOnEscalation(store, { key, ...act });
  }
  if (/^redrive dlq (?:merge|split|rename|remove-rule)/.test(command)) await addCauses(store);
  if (command.startsWith('redrive batches ')) await makeBatch(store);
  if (command.startsWith('redrive limits ')) await declareRate(store);
  if (command.startsWith('redrive ops ')) await beginOperation(store);
  if (command.startsWith('redrive ops watch')) await carryOutOperation(store, 'incident-7');
  const bus = await busWithEvent();
  const env = command.startsWith('redrive contexts') ? { HOME: directory } : {};
  const given = { directory, store, bus, documents: documentsWithAll(), env };
  if (command.startsWith('redrive sweep status')) await runMain(['sweep', 'run', '--once'], given);
  if (command.startsWith('redrive tokens revoke')) {
    await runMain(['tokens', 'create', '--role', 'viewer', '--name', 'grafana'], given);
  }
  if (/^redrive contexts (use|remove)/.test(command)) {
    await runMain(['contexts', 'add', 'prod', '--server', 'https://example.org'], given);
  }
  if (command.startsWith('redrive sign-ins')) signedIn(directory, systemClock.now());
  const { exitCode, stderr } = await runMain(wordsOf(command).slice(1), given);
  expect(expectedExits(command), stderr).toContain(exitCode);
  expect(stderr).not.toContain('No policy');
});

/** The state in which the job must be. */
function stateFor(command: string): 'ready' | 'cancelled' | 'dead' {
  if (command.startsWith('redrive dlq')) return 'dead';
  return /retry|jobs wa/.test(command) ? 'cancelled' : 'ready';
}

function expectedExits(command: string): number[] {
  // A sample is never written over a file, two policies may differ, and a cancelled job has not succeeded.
  if (command === 'redrive config init') return [4];
  if (/^redrive jobs wa(?:it|tch)/.test(command)) return [1];
  // A job is ready, and there is no worker.
  if (command.startsWith('redrive doctor')) return [1];
  // No job has run.
  if (command.startsWith('redrive lab replay')) return [4];
  // Nothing was thrown away.
  if (command.startsWith('redrive dlq restore')) return [7];
  return command.startsWith('redrive policies diff') ? [0, 9] : [0];
}

/** An operation that can be looked at and acted on. */
async function beginOperation(store: FullStore): Promise<void> {
  const about = { id: 'incident-7', actor: { name: 'test' } };
  await submitOperation(store, { ...about, act: 'requeue', target: { ids: [] } });
}

async function storeWith(id: string, state: 'ready' | 'cancelled' | 'dead'): Promise<FullStore> {
  const store = memoryStore();
  const jobs = jobsOn(store, { resize: () => final('no such image') });
  const { job, ...rest } = jobs.prepare('resize', null);
  await store.apply([{ ...rest, job: { ...job, id } }]);
  if (state === 'dead') {
    await jobs.start();
    await jobs.idle();
    await jobs.stop();
  }
  const actor = { name: 'test' };
  if (state === 'cancelled') await store.apply([{ kind: 'act', act: 'cancel', id, actor }]);
  await store.seal();
  return store;
}
