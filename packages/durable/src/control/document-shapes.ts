import type { ControlKind } from './control-store.ts';

type Check = (value: unknown) => boolean;

const number: Check = (value) => typeof value === 'number';
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';

function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function shape(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = new Map<string, unknown>(Object.entries(value));
    return (
      Object.entries(required).every(([name, check]) => check(fields.get(name))) &&
      Object.entries(optional).every(
        ([name, check]) => !fields.has(name) || check(fields.get(name)),
      )
    );
  };
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

/**
 * The fields that readers of documents rely on. A document may have more: a later version may have written it, and the
 * store accepts any JSON object.
 */
const SHAPES: Readonly<Record<ControlKind, Check>> = {
  kill: shape({ mode: oneOf('finish', 'interrupt'), sinceMs: number, by: text }),
  breaker: shape(
    {
      state: oneOf('closed', 'open', 'half_open'),
      ...{ failures: number, threshold: number, timeoutMs: number, changedAtMs: number },
    },
    {
      probes: shape({ failed: number, nextAtMs: number }),
      forced: shape({ state: oneOf('open', 'closed') }),
      lastError: shape({ type: text, message: text }),
    },
  ),
  gate: shape({
    dependency: text,
    credential: text,
    tenant: text,
    untilMs: number,
    sinceMs: number,
  }),
  park: shape({ sinceMs: number }, { pace, held: shape({ by: text }) }),
  operation: shape(
    {
      state: oneOf('running', 'paused', 'stopped', 'aborted', 'finished'),
      ...{ sinceMs: number, sentAt: number, succeeded: number, cameBack: number },
      underWay: items,
    },
    { pace, ramp, runner: shape({ worker: text, untilMs: number }), ids: listOf(() => true) },
  ),
  schedule: shape(
    {
      ...{ holder: text, untilMs: number, cursorMs: number },
      ...{ overlap: oneOf('skip', 'queue'), missed: oneOf('none', 'last') },
      plan: (value) =>
        shape({ everyMs: number })(value) || shape({ cron: text, timeZone: text })(value),
      job: shape({ handler: text, queue: text, tenant: text, priority: number, payload: text }),
      totals: shape({ enqueued: number, skipped: number, missed: number }),
    },
    { last: shape({ tickMs: number, result: text }) },
  ),
};

/** Whether a document of this kind can be read. */
export function hasItsShape(kind: ControlKind, document: unknown): boolean {
  return SHAPES[kind](document);
}
