import { type FieldProblem, type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { MAX_DURATION_MS } from '@redrive/core/stored';
import type { Handlers } from '../handler/handler.ts';
import { ownIdsProblem } from '../job/caller-id.ts';
import { encodePayload } from '../jobs/payload.ts';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import { firstCursor, nextTick } from './plan.ts';
import type { Schedule, ScheduleDocument, ScheduleOptions } from './schedule.ts';

/** Every worker reads the payload at every change of a control document. */
const MAX_PAYLOAD_BYTES = 16_384;

const OPTIONS: OptionTable<ScheduleOptions<Handlers, string>> = {
  handler: [null],
  payload: [undefined],
  everyMs: [undefined, { kind: 'integer', min: 1_000, max: MAX_DURATION_MS }],
  cron: [undefined],
  timeZone: [undefined],
  overlap: ['skip', { kind: 'choice', values: ['skip', 'queue'] }],
  missed: ['last', { kind: 'choice', values: ['none', 'last'] }],
  startNow: [false, { kind: 'boolean' }],
  queue: ['default'],
  tenant: [''],
  priority: [0, { kind: 'integer', min: -1_000, max: 1_000 }],
};

/** @throws RedriveError `invalid_option` with every problem at once; `payload_too_large`. */
export function resolveSchedule(
  name: string,
  given: ScheduleOptions<Handlers, string>,
  nowMs: number,
): Schedule {
  const options = resolveOptions(`schedule ${name}`, given, OPTIONS, 'invalid_option', (values) =>
    problemsOf({ ...values, name: name ?? null }, nowMs),
  );
  const { handler, everyMs, cron, overlap, missed, startNow, queue, tenant, priority } = options;
  const encoded = encodePayload(handler, options.payload, MAX_PAYLOAD_BYTES);
  const payload = 'kind' in encoded && encoded.kind === 'json' ? encoded.text : '';
  const message = 'message' in encoded ? encoded.message : 'payload must be JSON';
  const isJson = 'kind' in encoded && encoded.kind === 'json';
  refuse('invalid_option', `schedule ${name}`, isJson ? [] : [{ field: 'payload', message }]);
  return {
    plan: cron === undefined ? { everyMs } : { cron, timeZone: options.timeZone ?? 'UTC' },
    ...{ overlap, missed },
    ...(startNow && { startNow }),
    job: { handler, queue, tenant, priority, payload },
  };
}

/** The document of a schedule that no worker has declared yet. */
export function firstDocument(
  name: string,
  given: ScheduleOptions<Handlers, string>,
  nowMs: number,
): ScheduleDocument {
  const totals = { enqueued: 0, skipped: 0, missed: 0 };
  const { startNow, ...schedule } = resolveSchedule(name, given, nowMs);
  const cursorMs = firstCursor({ ...schedule, startNow }, nowMs);
  return { ...schedule, holder: '', untilMs: 0, cursorMs, totals };
}

function problemsOf(values: Readonly<Record<string, unknown>>, nowMs: number): FieldProblem[] {
  const { everyMs, cron, timeZone = 'UTC' } = values;
  const problems = ['name', 'cron', 'timeZone', 'queue', 'tenant'].map((field) =>
    textProblem(field, values[field], MAX_NAME_LENGTH, { empty: field === 'tenant' }),
  );
  problems.push(ownIdsProblem(values.name));
  if ((everyMs === undefined) === (cron === undefined)) {
    problems.push({ field: 'everyMs', message: 'give either everyMs or cron' });
  }
  if (values.startNow === true && cron !== undefined) {
    problems.push({ field: 'startNow', message: 'startNow is for everyMs only' });
  }
  if (values.timeZone !== undefined && cron === undefined) {
    problems.push({ field: 'timeZone', message: 'timeZone is for cron only' });
  }
  if (typeof timeZone === 'string' && !isTimeZone(timeZone)) {
    const message = `timeZone must be a name such as Europe/Berlin, and ${timeZone} is none`;
    problems.push({ field: 'timeZone', message });
  } else if (typeof cron === 'string' && typeof timeZone === 'string') {
    const why = cronProblem(cron, timeZone, nowMs);
    if (why !== undefined) problems.push({ field: 'cron', message: `cron ${cron}: ${why}` });
  }
  return problems.filter((problem) => problem !== undefined);
}

/** Asked first: the error of a wrong one in a cron expression quotes itself three times. */
function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

function cronProblem(cron: string, timeZone: string, nowMs: number): string | undefined {
  try {
    return nextTick({ cron, timeZone }, nowMs) === undefined ? 'it never ticks' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
