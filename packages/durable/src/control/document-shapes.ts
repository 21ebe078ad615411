import { type FieldRule, fieldProblems } from '@redrive/core/fields';
import { SPLIT_BY } from '@redrive/core/stored';
import type { ControlKind } from './control-store.ts';

/** By field. A name with `?` may be absent. */
type Shape = Readonly<Record<string, FieldRule>>;

const number: FieldRule = { kind: 'number', min: -Infinity, max: Infinity };
const text: FieldRule = { kind: 'string', empty: true };
const flag: FieldRule = { kind: 'boolean' };

function oneOf(...values: readonly string[]): FieldRule {
  return { kind: 'choice', values };
}

function listOf(rule: FieldRule): FieldRule {
  const isOne = (one: unknown) => has({ one }, { one: rule });
  return check('a list', (value) => Array.isArray(value) && value.every(isOne));
}

function shape(fields: Shape): FieldRule {
  return check('an object', (value) => has(value, fields));
}

function check(must: string, obeys: (value: unknown) => boolean): FieldRule {
  return { kind: 'check', must, obeys };
}

function has(value: unknown, fields: Shape): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return fieldProblems({ ...value }, fields).length === 0;
}

const pace = shape({
  ...{ perSecond: number, tokens: number, gentle: flag },
  ...{ countedAtMs: number, adjustedAtMs: number },
});
const items = listOf(shape({ id: text, generation: number }));
const ramp = shape({
  plan: shape({ stages: listOf(number), stopShare: number }),
  at: shape({ stage: number, sent: number, succeeded: number, cameBack: number }),
});

const act = { by: text, atMs: number };
const doneAt = shape({ atMs: number, done: number });

function isRule(value: unknown): boolean {
  const lists = ['fingerprints', 'handlers', 'types', 'codes', 'messages'];
  const texts = ['title', 'into', 'splitPattern'].map((name) => [`${name}?`, text]);
  const fields = lists.map((name) => [`${name}?`, listOf(text)]);
  const split = { 'splitBy?': oneOf(...SPLIT_BY) };
  return has(value, { name: text, ...split, ...Object.fromEntries([...texts, ...fields]) });
}

/**
 * The fields that readers of documents rely on. A document may have more: a later version may have written it, and the
 * store accepts any JSON object.
 */
const SHAPES: Readonly<Record<ControlKind, Shape>> = {
  kill: { mode: oneOf('finish', 'interrupt'), sinceMs: number, by: text },
  breaker: {
    state: oneOf('closed', 'open', 'half_open'),
    ...{ failures: number, threshold: number, timeoutMs: number, changedAtMs: number },
    'probes?': shape({ failed: number, nextAtMs: number }),
    'forced?': shape({ state: oneOf('open', 'closed') }),
    'lastError?': shape({ type: text, message: text }),
  },
  gate: { dependency: text, credential: text, tenant: text, untilMs: number, sinceMs: number },
  park: { sinceMs: number, 'pace?': pace, 'held?': shape({ by: text }) },
  operation: {
    state: oneOf('running', 'paused', 'stopped', 'aborted', 'finished'),
    ...{ sentAt: number, succeeded: number, cameBack: number },
    changes: listOf(shape({ to: text, atMs: number, by: text })),
    'speed?': shape({ from: doneAt, to: doneAt }),
    underWay: items,
    ...{ 'pace?': pace, 'ramp?': ramp },
    'runner?': shape({ worker: text, untilMs: number }),
    'ids?': check('a list', Array.isArray),
  },
  schedule: {
    ...{ holder: text, untilMs: number, cursorMs: number },
    ...{ overlap: oneOf('skip', 'queue'), missed: oneOf('none', 'last') },
    plan: check(
      'an interval or a cron expression',
      (plan) => has(plan, { everyMs: number }) || has(plan, { cron: text, timeZone: text }),
    ),
    job: shape({ handler: text, queue: text, tenant: text, priority: number, payload: text }),
    totals: shape({ enqueued: number, skipped: number, missed: number }),
    'last?': shape({ tickMs: number, result: text }),
  },
  source: {
    ...{ state: text, atMs: number, stored: number, duplicates: number },
    ...{ 'handled?': number, 'deadLettered?': number, 'waiting?': number },
    ...{ 'lastError?': text, 'lastErrorAtMs?': number },
  },
  escalation: {
    ...{ sinceMs: number, notifiedTier: number, isEnqueued: flag },
    ...{ 'raisedAtMs?': number, 'lowerSinceMs?': number, 'raisedIn?': text, 'regrouped?': flag },
    'acknowledged?': shape({ ...act, tier: number }),
    'snoozed?': shape({ ...act, tier: number, untilMs: number }),
    'owner?': shape({ ...act, name: text }),
    'decision?': shape({ ...act, decision: oneOf('requeue', 'purge', 'leave') }),
  },
  cause: { ...act, rule: check('a rule of causes', isRule), 'place?': number },
  rate: {
    ...{ limit: number, burst: number },
    'set?': shape({ ...act, limit: number, burst: number }),
  },
  regroup: { version: text, rules: listOf(text), sinceMs: number },
};

/** Whether a document of this kind can be read. */
export function hasItsShape(kind: ControlKind, document: unknown): boolean {
  return has(document, SHAPES[kind]);
}
