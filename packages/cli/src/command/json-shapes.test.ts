import { systemClock } from '@redrive/core';
import { fingerprintOf, setCauseRule } from '@redrive/durable/dead-letters';
import { actOnEscalation } from '@redrive/durable/escalation';
import { memoryBus } from '@redrive/durable/events';
import { namedCause } from '@redrive/durable/store';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import { documentsWithAll, SWEEPS_CONFIG } from '../testing/document-place.ts';
import { busWithEvent, EVENTS_CONFIG } from '../testing/event-place.ts';
import { proofText } from '../testing/proof-text.ts';
import { outagesText, RECORDED_POLICIES, recordingText } from '../testing/recording-text.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { signedIn } from '../testing/signed-in.ts';
import { storeWithAll } from '../testing/store-with-all.ts';
import { storeWithCauses } from '../testing/store-with-causes.ts';
import { jsonFields } from './json-fields.ts';

/** The cause of the letter of `storeWithAll`. */
const NO_IMAGE = fingerprintOf({ type: 'verdict:final', message: 'no such image' }).fingerprint;

/** Arguments with which every documented field is printed. */
const ARGS: Record<string, string[]> = {
  'config init': ['new.yaml'],
  'config validate': ['warned.yaml', '--simulate'],
  'config show': ['--effective'],
  'config migrate': ['old.yaml'],
  'config apply': ['warned.yaml', 'old.yaml', '--dry-run'],
  'alerts export': ['--to', 'monitoring'],
  'dashboards export': ['--to', 'monitoring'],
  'policies list': [],
  'policies show': ['events.default'],
  'policies explain': ['events.default'],
  'policies plot': ['events.default'],
  'policies simulate': ['herd', '--seeds', '1'],
  'policies diff': ['KV_GET', 'NATS_CONNECT'],
  'policies backtest': ['mail', 'patient', '--recording', '.', '--fail-if', 'exhausted < 0pp'],
  'policies review': ['--recording', '.'],
  'policies recommend': ['mail', '--recording', '.'],
  'lab record': ['--to', 'recording'],
  'contexts add': ['prod', '--server', 'https://example.org'],
  'contexts use': ['prod'],
  'contexts remove': ['prod'],
  'jobs enqueue': ['resize', '--from', '-'],
  'jobs show': ['1'],
  'jobs wait': ['1'],
  'jobs watch': ['1'],
  'jobs cancel': ['1'],
  'jobs retry': ['1'],
  'events publish': ['chunking', '{}', '--id', 'm-1'],
  'events tail': ['chunking'],
  'dlq show': ['1'],
  'dlq requeue': ['1', 'nope'],
  'dlq reset': ['1', 'nope'],
  'dlq merge': [NO_IMAGE, '--into', 'images'],
  'dlq split': [NO_IMAGE, '--by', 'image'],
  'dlq rename': [NO_IMAGE, 'No such image'],
  'dlq remove-rule': ['images'],
  'dlq import': ['rabbit', 'parsing.failed'],
  'dlq edit': ['1', '--payload', '{}'],
  'dlq purge': ['1', 'nope'],
  'dlq restore': ['1', 'nope'],
  doctor: ['--put-back'],
  'audit tail': ['--for', '0s'],
  'audit replay': ['1'],
  'audit prove': ['1'],
  'audit check-proof': ['proof.json'],
  'audit import': ['-'],
  'kill engage': ['queue', 'default'],
  'kill release': ['tenant', 'acme'],
  'breakers show': ['bank'],
  'breakers force-open': ['bank'],
  'breakers force-closed': ['bank'],
  'breakers half-open': ['bank'],
  'breakers reset': ['bank'],
  'gates release': ['search'],
  'limits set': ['handler:mail/all/1000ms', '--limit', '5'],
  'park release': ['breaker:bank'],
  'park hold': ['breaker:bank'],
  'escalations show': ['archives'],
  'escalations ack': ['archives'],
  'escalations snooze': ['archives'],
  'escalations assign': ['archives', 'parsing'],
  'escalations decide': ['archives', '--decision', 'leave', '--reason', 'known'],
  'batches show': ['import-7'],
  'batches cancel': ['import-7'],
  'batches retry': ['import-7'],
  'ops show': ['incident-7'],
  'ops watch': ['incident-7', '--timeout', '0s'],
  'ops pause': ['incident-7'],
  'ops resume': ['incident-7'],
  'ops set-rate': ['incident-7', '50/s'],
  'ops abort': ['incident-7'],
  'schedules show': ['nightly'],
  'schedules run': ['nightly'],
  'schedules pause': ['nightly'],
  'schedules resume': ['nightly'],
  'schedules remove': ['nightly'],
  'sweep run': ['--once'],
  'sweep schedule': ['archives', 'a-17'],
  'stuck explain': ['archives', 'a-17'],
  'stuck release': ['archives', 'a-17', 'a-99'],
  'documents export': ['archives'],
  'documents reset': ['archives', 'a-18'],
  'documents archive': ['archives', 'a-18'],
  'documents purge': ['archives', 'a-18', '--confirm', 'archives'],
  'tokens create': ['--role', 'viewer'],
  'tokens revoke': ['ann'],
  'sign-ins revoke': ['local'],
  'queues pause': ['default'],
  'queues resume': ['default'],
};

const commands = COMMAND_TREE.flatMap((each) =>
  'commands' in each
    ? each.commands.map((spec) => ({ path: `${each.name} ${spec.name}`, json: jsonFields(spec) }))
    : [{ path: each.name, json: jsonFields(each) }],
).filter(({ json }) => json.length > 0);

/** The places of a value that are null: fields inside are not printed. */
function nullsIn(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((each) => nullsIn(each, `${path}[]`));
  if (typeof value !== 'object') return [];
  const prefix = path === '' ? '' : `${path}.`;
  return Object.entries(value).flatMap(([key, each]) => nullsIn(each, prefix + key));
}

/** The paths of a value as the specification writes them, down to what it takes as a whole. */
function pathsOf(value: unknown, isWhole: (path: string) => boolean, path = ''): string[] {
  const own = path === '' ? [] : [path];
  if (isWhole(path) || typeof value !== 'object' || value === null) return own;
  if (Array.isArray(value)) {
    const inner = value.flatMap((each) => pathsOf(each, isWhole, `${path}[]`));
    return [...own, ...inner.filter((each) => each !== `${path}[]`)];
  }
  const prefix = path === '' ? '' : `${path}.`;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, isWhole, prefix + key)),
  ];
}

test.each(commands)('$path prints what its specification lists', async ({ path, json }) => {
  const directory = scratchDirectory(onTestFinished, {
    'bad.yaml': 'version: "1.1.0"\npolices: {}\n',
    'warned.yaml':
      'version: "1.1.0"\nload: { db: { utilisation: 0, layers: [events.default] } }\npolicies: { a: { name: A, max_attempts: 1, backoff_type: fixed, base_delay: 1, max_delay: 1 } }\n',
    'recording.jsonl': path === 'policies recommend' ? outagesText(60) : recordingText(),
    'redrive.yaml':
      `version: "1.1.0"\npolicies:${RECORDED_POLICIES}` +
      'jobs: { handlers: { resize: { command: [resize], idempotent: true } } }\nload: { db: { utilisation: 0, layers: [events.default] } }\n' +
      EVENTS_CONFIG +
      SWEEPS_CONFIG,
    'old.yaml': 'version: "1.0.0"\npolicies: {}\nsubsystem_mappings: {}\n',
    'proof.json': await proofText(),
  });
  // It goes on until a signal comes: serve.test.ts looks at what it prints.
  if (path === 'serve') return;
  if (path === 'start') return; // Its lines have what they are about; start.test.ts looks at them.
  const args = [...path.split(' '), ...(ARGS[path] ?? []), '--json'];
  const stdin = '{"image":1}';
  const store = await (path === 'dlq causes' ? storeWithCauses() : storeWithAll());
  if (path === 'dlq remove-rule') {
    const actor = { name: 'test' };
    const group = namedCause('images');
    await setCauseRule(store, { rule: { name: 'images', fingerprints: [NO_IMAGE] }, actor });
    await store.apply([{ kind: 'act', act: 'regroup', id: '1', group: { ...group }, actor }]);
  }
  if (path.startsWith('escalations ')) {
    const actor = { name: 'test', why: 'INC-7' };
    await actOnEscalation(store, { key: 'archives', act: 'acknowledge', tier: 2, actor });
  }
  if (path === 'kill release') await runMain(['kill', 'engage', 'queue', 'slow'], { store });
  const bus = path === 'events init' ? memoryBus() : await busWithEvent();
  const documents = documentsWithAll();
  const env = path.startsWith('contexts') ? { HOME: directory } : {};
  const options = { directory, stdin, store, bus, documents, env };
  if (path === 'sweep status') await runMain(['sweep', 'run', '--once'], options);
  if (/^tokens (list|revoke)/.test(path)) {
    await runMain(['tokens', 'create', '--role', 'viewer', '--name', 'ann'], options);
  }
  if (/^contexts (use|list|remove)/.test(path)) {
    await runMain(['contexts', 'add', 'prod', '--server', 'https://example.org'], options);
  }
  if (path.startsWith('sign-ins')) signedIn(directory, systemClock.now());
  const { stdout } = await runMain(args, options);
  const hasInner = (path: string) => json.some((each) => each.path.startsWith(`${path}.`));
  const whole = json
    .filter(
      ({ path: at, type }) => !hasInner(at) && /^(any|map|object$|object or null$)/.test(type),
    )
    .map((field) => field.path);
  const printed = new Set(
    valuesIn(stdout).flatMap((value) => pathsOf(value, (each) => whole.includes(each))),
  );
  const nulls = valuesIn(stdout).flatMap((value) => nullsIn(value));
  const isInNull = (path: string) =>
    !printed.has(path) && nulls.some((each) => path.startsWith(`${each}.`));
  // A single letter is refused only if it changes meanwhile.
  const isRare = (each: string) =>
    (path === 'dlq edit' && each.startsWith('refusals[]')) ||
    // Only jobs of a requeue are stopped; ops.test.ts looks at them.
    (/^(dlq (purge|reset|restore)|ops show)$/.test(path) && each.startsWith('stopped_by[]'));
  const listed = json.map((field) => field.path).filter((each) => !isInNull(each) && !isRare(each));
  expect([...printed].sort()).toEqual(listed.sort());
});

/** One value over many lines, or one on each. */
function valuesIn(stdout: string): unknown[] {
  const isOne = !stdout.startsWith('{"');
  return isOne
    ? [JSON.parse(stdout)]
    : stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
}
