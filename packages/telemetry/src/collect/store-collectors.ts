import type { FullStore } from '@redrive/durable';
import type { Control, Controls, Counts } from '@redrive/durable/store';
import { BREAKER_STATES, BULK_STATES, JOB_STATES } from '../catalogue/labels.ts';
import type { MetricSource } from '../catalogue/metric.ts';
import { type MetricName, RUNS } from '../catalogue/metrics.ts';
import type { Registry } from '../registry/registry.ts';
import type { Collector, SetValue } from './collectors.ts';

/** The parts of a store that telemetry asks. */
export type AskedStore = Pick<
  FullStore,
  'counts' | 'countDead' | 'deadLetters' | 'parks' | 'controls' | 'pulse'
>;

const MAX_DEAD_COUNT = 10_000;
/** The schedule whose document has the totals of all sweeps. */
const SWEEPS = 'sweeps.run';

/**
 * The questions to a store, by the source of the metrics that they answer.
 *
 * @param swept configured collections: their numbers are 0 before the first sweep.
 */
export function storeCollectors(
  store: AskedStore,
  swept: ReadonlySet<string> = new Set(),
): readonly Collector[] {
  const ask = (name: MetricSource, question: Collector['ask']) => ({ name, ask: question });
  return [
    ask('counts', async () => {
      const counts = await store.counts();
      return (set) => setCounts(set, counts);
    }),
    ask('dead_letters', async () => {
      const [{ count }, { jobs }] = await Promise.all([
        store.countDead({}, MAX_DEAD_COUNT),
        store.deadLetters({}, { limit: 1, first: 'oldest' }),
      ]);
      return (set) => {
        set('redrive_dead_letters', [], count);
        setTime(set, 'redrive_oldest_dead_letter_timestamp_seconds', [], jobs[0]?.finishedAtMs);
      };
    }),
    ask('parks', async () => {
      const parks = await store.parks();
      return (set) => {
        for (const { cause, count } of parks) set('redrive_parked_jobs', [kindOf(cause)], count);
      };
    }),
    ask('controls', async () => {
      const controls = await store.controls();
      return (set, registry) => {
        if (swept.size > 0) makeSweepsKnown(swept, registry);
        setControls(set, controls, registry);
      };
    }),
    ask('audit', async () => {
      const { unsealed, anchor } = await store.pulse([]);
      return (set) => {
        set('redrive_audit_unsealed', [], Number(unsealed));
        set('redrive_audit_anchors_total', [], anchor?.seq ?? 0);
        setTime(set, 'redrive_audit_last_seal_timestamp_seconds', [], anchor?.atMs);
      };
    }),
  ];
}

function setTime(
  set: SetValue,
  name: MetricName,
  labels: readonly string[],
  atMs: number | undefined,
): void {
  if (atMs !== undefined) set(name, labels, atMs / 1_000);
}

function setCounts(set: SetValue, { groups, bounded, oldestReadyAtMs }: Counts): void {
  const states: readonly string[] = JOB_STATES;
  for (const { queue, handler, state, count } of groups) {
    if (!states.includes(state)) continue;
    set('redrive_jobs', [handler, state], count);
    set('redrive_queue_jobs', [queue, state], count);
  }
  set('redrive_jobs_bounded', [], Number(bounded));
  setTime(set, 'redrive_oldest_ready_job_timestamp_seconds', [], oldestReadyAtMs);
}

/** `breaker` of `breaker:bank`. */
function kindOf(key: string): string {
  return key.split(':', 1)[0] ?? key;
}

/** The series of all controls: what is stopped, sources and sweeps. */
export function setControls(set: SetValue, { all, nowMs }: Controls, registry: Registry): void {
  const opens = new Map<string, number>();
  for (const control of all) {
    // Another version may have written it: a document without the fields that are read here is left out.
    const document = documentOf(control);
    if (document === undefined) continue;
    if (control.kind === 'kill') setKill(set, control.key);
    else if (control.kind === 'breaker') setBreaker(set, control.key, document, nowMs);
    else if (control.kind === 'gate') addGate(set, opens, document, nowMs);
    else if (control.kind === 'operation') setOperation(set, document);
    else if (control.kind === 'source') setSource(set, control.key, document);
    else if (control.key === SWEEPS) setSweeps(set, Object(document.totals), registry);
  }
  for (const [dependency, untilMs] of opens) {
    setTime(set, 'redrive_gate_opens_timestamp_seconds', [dependency], untilMs);
  }
}

type Document = Readonly<Record<string, unknown>>;

function documentOf({ document }: Control): Document | undefined {
  try {
    const read: unknown = JSON.parse(document);
    return typeof read === 'object' && read !== null ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** Keys are `all`, `queue:mail`; of pauses `pause:queue:mail`. */
function setKill(set: SetValue, key: string): void {
  if (key.startsWith('pause:')) set('redrive_pauses', [kindOf(key.slice('pause:'.length))], 1);
  else set('redrive_kill_switches_engaged', [kindOf(key)], 1);
}

function setBreaker(set: SetValue, dependency: string, document: Document, nowMs: number): void {
  const { state, forced } = document;
  const isForced = typeof forced === 'object' && forced !== null && isInForce({ ...forced }, nowMs);
  const now = isForced && 'state' in forced ? forced.state : state;
  if (typeof now !== 'string') return;
  for (const each of BREAKER_STATES) {
    set('redrive_breaker_state', [dependency, each], Number(each === now));
    set('redrive_breaker_forced', [dependency, each], Number(isForced && each === now));
  }
}

function isInForce({ untilMs }: Document, nowMs: number): boolean {
  return typeof untilMs !== 'number' || nowMs < untilMs;
}

function addGate(
  set: SetValue,
  opens: Map<string, number>,
  { dependency, untilMs }: Document,
  nowMs: number,
): void {
  if (typeof dependency !== 'string' || typeof untilMs !== 'number' || untilMs <= nowMs) return;
  set('redrive_gates_closed', [dependency], 1);
  opens.set(dependency, Math.max(untilMs, opens.get(dependency) ?? 0));
}

function setOperation(set: SetValue, { state }: Document): void {
  const open: readonly unknown[] = BULK_STATES;
  if (typeof state === 'string' && open.includes(state)) set('redrive_bulk_operations', [state], 1);
}

function setSource(set: SetValue, source: string, document: Document): void {
  const setGiven = (name: MetricName, count: unknown) => {
    if (typeof count === 'number') set(name, [source], count);
  };
  setGiven('redrive_source_stored_total', document.stored);
  setGiven('redrive_source_duplicates_total', document.duplicates);
  setGiven('redrive_source_dead_lettered_total', document.deadLettered);
  setGiven('redrive_source_waiting', document.waiting);
}

/** All numbers of sweeps as they are before the first one: 0. A time of the last success does not exist. */
function makeSweepsKnown(swept: ReadonlySet<string>, registry: Registry) {
  for (const family of registry.of('controls')) {
    const { name, labels } = family.entry;
    const isPerCollection = name.startsWith('retry_job_') && labels[0] === 'collection';
    for (const collection of isPerCollection ? swept : []) family.number(collection);
  }
  registry.family('retry_job_errors_total').number('invalid_document');
  registry.family('retry_job_duration_seconds').histogram();
}

/** Numbers over all runs of all processes, as `retry_job_runs_total{success}`. Collections are named by a configuration. */
function setSweeps(set: SetValue, totals: Readonly<Record<string, number>>, registry: Registry) {
  const bucket = 'retry_job_duration_seconds_bucket';
  for (const [written, value] of Object.entries(totals)) {
    const [, name = '', label] = /^(\w+)(?:\{(.*)\})?$/.exec(written) ?? [];
    if (!registry.has(name)) continue;
    if (label !== undefined && name.includes('_document')) registry.learn('collections', [label]);
    set(name, label === undefined ? [] : [label], value);
  }
  const runs = registry.family('retry_job_duration_seconds').histogram();
  let before = 0;
  [...RUNS, '+Inf'].forEach((bound, index) => {
    const count = totals[`${bucket}{${bound}}`] ?? before;
    runs.counts[index] = count - before;
    before = count;
  });
  runs.sum = totals.retry_job_duration_seconds_sum ?? 0;
}
