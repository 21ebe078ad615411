// biome-ignore lint/style/noRestrictedImports: nobody may compute the hash of a session, so the salt is not predictable.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Decision, ErrorClass, ReasonCode } from '@redrive/core';
import { policyCategory, policyLabel, type Rung } from '@redrive/core/stored';
import type { Store } from '../store/store.ts';
import type { AuditBlock, AuditRecord } from './audit-block.ts';
import { BlockFollower } from './block-follower.ts';
import { seqAt } from './blocks-back.ts';
import { recordsIn } from './read-body.ts';
import { numberOf, textOf } from './record-detail.ts';
import { FactFinder } from './record-facts.ts';
import { decisionIn, type RecordedDecision } from './rederive.ts';

/** An attempt of a job, or of a call with `auditSink`, from its record. It has no payload and no message. */
export interface RecordedAttempt {
  /** The id of its session, which rungs share. */
  readonly session: string;
  /** The handler of a job, or the operation of a call. */
  readonly handler: string;
  /** Of a call. The log does not have the dependency of a job: the configuration has it. */
  readonly dependency?: string | undefined;
  /** Of a call, or of the policy of a job. */
  readonly category?: string | undefined;
  /** Of a policy without an id: its hash. */
  readonly policyId: string;
  readonly policyHash: string;
  readonly rung: Rung;
  /** A requeue starts the next one. */
  readonly generation: number;
  /** Number over all generations and rungs of the session, from 1. */
  readonly attempt: number;
  /** Absent: a job's success, of which the log has the end alone; or it never began. */
  readonly startedAtMs?: number | undefined;
  readonly endedAtMs: number;
  /** `lost`: its lease expired. `not_run`: it was claimed and did not start, or its session ended while it waited. */
  readonly outcome: 'succeeded' | 'failed' | 'lost' | 'not_run';
  readonly errorClass?: ErrorClass | undefined;
  readonly errorType?: string | undefined;
  readonly hintMs?: number | undefined;
  /** It was the probe of an open breaker. */
  readonly probe: boolean;
  readonly action: Decision['action'];
  readonly reason: ReasonCode;
  readonly delayMs?: number | undefined;
  /** The input of the decision. Absent: a success, which rests on nothing else. `missing`: the record lacks it. */
  readonly decided?: RecordedDecision | 'missing' | undefined;
}

export interface RecordedAttemptsOptions {
  /** Attempts that ended at this time or later. */
  readonly sinceMs: number;
  /** And before this time. */
  readonly untilMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** `true`: jobs that are still stored say when their successful attempts began. Default `false`. */
  readonly starts?: boolean | undefined;
  /** Called after each page with the number of records so far and the share of the window that was read, 0 to 1. */
  readonly onProgress?: ((records: number, share: number) => void) | undefined;
}

type AttemptStore = Pick<Store, 'auditBlocks' | 'policy' | 'job' | 'finished'>;

/** Twice the slack of `seqAt`: a block may be numbered after others that are newer. */
const SLACK_MS = 600_000;
/** Policies that are remembered by their hash. */
const MAX_POLICIES = 10_000;
const UNKNOWN = 'unknown';

/**
 * Reads the attempts of a time window from the audit log, in the order of blocks, each once. A block that was committed
 * behind others with higher numbers comes late, at the end. Memory is bounded, however long the window is.
 *
 * @throws RedriveError `store_unavailable`; the reason of the signal.
 */
export async function* recordedAttempts(
  store: AttemptStore,
  options: RecordedAttemptsOptions,
): AsyncGenerator<RecordedAttempt> {
  const { sinceMs, untilMs, clock, signal, onProgress } = options;
  const start = await seqAt(store, sinceMs - SLACK_MS);
  const follower = new BlockFollower(store, Math.max(0, start - 1), clock);
  const reading = new AttemptReader(store, options.starts ?? false);
  let records = 0;
  for (const pages of [follower.next(), follower.late()]) {
    for await (const blocks of pages) {
      signal?.throwIfAborted();
      for (const attempt of await reading.read(blocks)) {
        if (attempt.endedAtMs >= sinceMs && attempt.endedAtMs < untilMs) yield attempt;
      }
      records += reading.records;
      const last = blocks.at(-1);
      if (last === undefined) continue;
      onProgress?.(records, Math.min(1, (last.atMs - sinceMs) / Math.max(1, untilMs - sinceMs)));
      if (blocks.every(({ atMs }) => atMs > untilMs + SLACK_MS)) return;
    }
  }
}

class AttemptReader {
  records = 0;
  readonly #store: AttemptStore;
  readonly #facts: FactFinder;
  readonly #policies = new Map<string, string>();
  readonly #asksStarts: boolean;
  #starts: ReadonlyMap<string, number> = new Map();

  constructor(store: AttemptStore, asksStarts: boolean) {
    this.#store = store;
    this.#asksStarts = asksStarts;
    this.#facts = new FactFinder(store);
  }

  async read(blocks: readonly AuditBlock[]): Promise<RecordedAttempt[]> {
    const records = blocks.flatMap((block) => recordsIn(block));
    this.records = records.length;
    const wanted = records.filter((record) => OUTCOMES.has(record.event));
    await this.#facts.load([...records.filter(({ event }) => event === 'enqueue'), ...wanted]);
    for (const { policyHash } of wanted.map(partsOf)) await this.#know(policyHash);
    const succeeded = wanted.flatMap(({ id, to }) => (to === 'succeeded' ? [id] : []));
    if (this.#asksStarts) this.#starts = await this.#facts.startsOf(succeeded);
    return wanted.flatMap((record) => this.#attemptOf(record) ?? []);
  }

  #attemptOf(record: AuditRecord): RecordedAttempt | undefined {
    const { id, event, to, atMs, generation, executions, detail } = record;
    const isCall = event === 'session';
    if (isCall && detail.kind !== 'attempt_ended') return undefined;
    // A job that was never claimed has no attempt.
    if (event === 'expire' && (to !== 'dead' || executions === 0)) return undefined;
    const { answer, input, policyHash, error } = partsOf(record);
    const { session = id, handler = UNKNOWN, dependency, category } = this.#facts.of(record);
    const policyId = this.#policies.get(policyHash) ?? UNKNOWN;
    const decided = event === 'expire' ? undefined : decisionIn(record);
    const outcome = Object(input.outcome);
    const numbers = isCall
      ? { generation: 1, attempt: Number(detail.attempt) + Number(detail.attemptsBefore ?? 0) }
      : { generation, attempt: executions };
    // 0: the worker was stopped before the attempt began.
    const own = numberOf(detail.startedAtMs) || undefined;
    const startedAtMs = own ?? (to === 'succeeded' ? this.#starts.get(id) : undefined);
    return {
      session,
      handler,
      dependency,
      category: isCall ? category : policyCategory(policyId),
      policyId,
      policyHash,
      rung: (textOf(input.rung) as Rung | undefined) ?? (isCall ? 'call' : 'job'),
      ...numbers,
      startedAtMs,
      endedAtMs: own === undefined ? atMs : own + (numberOf(detail.durationMs) ?? 0),
      outcome: outcomeOf(event, to, detail, outcome.kind),
      errorClass: textOf(outcome.errorClass) as ErrorClass | undefined,
      errorType: event === 'lease_lost' ? 'lease_lost' : textOf(Object(error).type),
      hintMs: numberOf(outcome.retryAfterMs),
      probe: input.probe === true,
      action: event === 'expire' ? 'give-up' : answer.action,
      reason: event === 'expire' ? 'ttl_exceeded' : answer.reason,
      delayMs: numberOf(answer.delayMs),
      decided: decided === 'success' ? undefined : decided,
    };
  }

  async #know(hash: string): Promise<void> {
    if (this.#policies.has(hash)) return;
    if (this.#policies.size >= MAX_POLICIES) this.#policies.clear();
    const id = (await this.#store.policy(hash))?.id;
    this.#policies.set(hash, id ? policyLabel(id, hash) : UNKNOWN);
  }
}

/** Events of records with the outcome of an attempt. A job also dies when its TTL passes while it waits. */
const OUTCOMES: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire', 'session']);

/** The parts of a record that jobs and calls keep in different places. Unchecked: records are read as they are. */
function partsOf({ event, detail }: AuditRecord) {
  const isCall = event === 'session';
  const answer = (isCall ? Object(detail.decision) : detail) as Decision;
  const hash = isCall ? Object(detail.session).policyHash : detail.policy;
  return {
    answer,
    input: Object(detail.input) as Readonly<Record<string, unknown>>,
    policyHash: textOf(hash) ?? UNKNOWN,
    error: detail.error,
  };
}

function outcomeOf(
  event: string,
  to: string | null,
  { success }: AuditRecord['detail'],
  kind: unknown,
): RecordedAttempt['outcome'] {
  if (event === 'lease_lost') return 'lost';
  if (event === 'expire') return 'not_run';
  if (to === 'succeeded' || success === true) return 'succeeded';
  return kind === 'failure' ? 'failed' : 'not_run';
}

/** Replaces the ids of sessions by hashes that nobody can compute again: the salt is forgotten. */
export function saltedSessions(): (session: string) => string {
  const salt = randomBytes(16);
  return (session) => createHash('sha256').update(salt).update(session).digest('hex').slice(0, 16);
}
