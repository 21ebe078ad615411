import { jitterRange, nominalDelayMs } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { type DecisionPolicy, drawDelayMs } from '@redrive/core/stored';
import { jobRecords } from '../documents/job-history.ts';
import type { Store } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { BlocksByJob } from './blocks-by-job.ts';
import { isNote } from './read-body.ts';
import { readLog } from './read-log.ts';
import {
  answerText,
  decisionIn,
  type RecordedAnswer,
  type RecordedDecision,
  rederive,
} from './rederive.ts';

export interface ReplayOptions {
  /** Steps that are kept; the others are counted. Default 10,000. */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The life of a session according to the audit log, with every decision derived again. */
export interface Replay {
  readonly session: string;
  /** In the order of their times. Empty: the log has no such session. */
  readonly steps: readonly ReplayStep[];
  readonly omitted: number;
  /** Whether every decision was derived again, with the same answer. */
  readonly same: boolean;
}

export interface ReplayStep {
  /** Sequence number. */
  readonly block: number;
  readonly record: AuditRecord;
  /** Where something was decided. A success has none, because it rests on nothing else. */
  readonly decision?: ReplayedDecision | undefined;
}

export interface ReplayedDecision extends RecordedDecision {
  /** Name and fields of the policy; `undefined`: the store does not know it. */
  readonly policyId?: string | undefined;
  readonly policyFields?: DecisionPolicy | undefined;
  /** The answer of today's `decide` to the same input. `undefined`: it cannot be asked. */
  readonly derived?: RecordedAnswer | undefined;
  readonly same: boolean;
  /** How the wait came about, where back-off took part. */
  readonly wait?: ReplayedWait | undefined;
}

/** The wait before the next attempt, step by step. The answer is the longer of `drawnMs` and the hint with its jitter. */
export interface ReplayedWait {
  /** By the back-off, capped, before jitter. */
  readonly nominalMs: number;
  /** The range of jitter. */
  readonly minMs: number;
  readonly maxMs: number;
  /** The random number that jitter uses, on [0, 1): it follows from the session and the number of the execution. */
  readonly random: number;
  readonly drawnMs: number;
  /** The wait that the dependency asked for. */
  readonly hintMs?: number | undefined;
}

const OPTIONS: OptionTable<ReplayOptions> = {
  maxSteps: [10_000, { kind: 'integer', min: 1, max: 1_000_000 }],
  signal: [undefined],
};

/**
 * Derives every decision of a session again and shows its inputs. Reads the whole log twice, because a session may have
 * begun in process and continued as a job with another id.
 *
 * @throws RedriveError `invalid_option`; `store_unavailable` where the store cannot be read.
 */
export async function replaySession(
  reader: AuditReader,
  session: string,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { maxSteps, signal } = resolveOptions('audit replay', options, OPTIONS);
  const ids = await idsOf(reader, session, signal);
  const found: ReplayStep[] = [];
  let omitted = 0;
  await readMentions(reader, ids, signal, async (record, block) => {
    if (!ids.has(record.id)) return;
    if (found.length >= maxSteps) omitted += 1;
    else found.push({ block, record, decision: await replayDecision(reader, record) });
  });
  const steps = inOrder(found);
  return { session, steps, omitted, same: isSame(steps) };
}

/**
 * The same for the records of one job alone. It follows the pointers from the job's newest record back to its first, so the
 * cost depends on the job and not on the length of the log. Reads at most 1,000 blocks: older records are `omitted`.
 *
 * @returns `undefined` if the job does not exist.
 * @throws RedriveError `invalid_record` for a damaged log, `store_unavailable`.
 */
export async function replayJob(
  store: Pick<Store, 'job' | 'auditBlocks' | 'policy'>,
  id: string,
  { signal }: Pick<ReplayOptions, 'signal'> = {},
): Promise<Replay | undefined> {
  const job = await store.job(id);
  if (job === undefined) return undefined;
  const { records } = await jobRecords(new BlocksByJob(store), job, undefined, signal);
  const steps: ReplayStep[] = [];
  for (const { record, block } of records) {
    signal?.throwIfAborted();
    steps.push({ block, record, decision: await replayDecision(store, record) });
  }
  // Revisions have no gaps.
  const omitted = (records[0]?.record.revision ?? 1) - 1;
  return { session: job.sessionId, steps, omitted, same: isSame(steps) };
}

function isSame(steps: readonly ReplayStep[]): boolean {
  return steps.every(({ decision, record }) =>
    decision === undefined ? decisionIn(record) !== 'missing' : decision.same,
  );
}

/** The session's own id, and those of jobs that go on with it. */
async function idsOf(
  reader: AuditReader,
  session: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const ids = new Set([session]);
  await readMentions(reader, ids, signal, async ({ id, event, detail }) => {
    if (event === 'enqueue' && detail.session === session) ids.add(id);
  });
  return ids;
}

/** Reads the records of all blocks in which one of the ids is mentioned. */
async function readMentions(
  reader: AuditReader,
  ids: ReadonlySet<string>,
  signal: AbortSignal | undefined,
  onRecord: (record: AuditRecord, block: number) => Promise<void>,
): Promise<void> {
  const texts = [...ids].map((id) => JSON.stringify(id));
  const mentioning: Pick<AuditReader, 'blocks'> = {
    async blocks(after, limit) {
      const page = await reader.blocks(after, limit);
      // Looking for a text is much faster than reading JSON.
      return page.map((block) =>
        texts.some((text) => block.body.includes(text)) ? block : { ...block, body: '[]' },
      );
    },
  };
  const unreadable = new AuditProblems(0);
  await readLog({ reader: mentioning, problems: unreadable, signal }, async ({ seq }, records) => {
    for (const record of records) await onRecord(record, seq);
    return true;
  });
}

async function replayDecision(
  reader: Pick<AuditReader, 'policy'>,
  record: AuditRecord,
): Promise<ReplayedDecision | undefined> {
  const decided = decisionIn(record);
  if (typeof decided !== 'object') return undefined;
  const stored = await reader.policy(decided.policy);
  const derived = stored && rederive(decided, stored.policy);
  return {
    ...decided,
    policyId: stored?.id,
    policyFields: stored?.policy,
    derived,
    same: derived !== undefined && answerText(derived) === answerText(decided.answer),
    wait: derived && stored && waitOf(decided, stored.policy),
  };
}

function waitOf({ input, answer }: RecordedDecision, policy: DecisionPolicy) {
  const { outcome, account, random } = input;
  const backsOff =
    outcome.kind === 'failure' || (outcome.kind === 'lease_lost' && outcome.times > 1);
  if (!backsOff || answer.delayMs === undefined) return undefined;
  const nominalMs = nominalDelayMs(policy, account.charged);
  const range = jitterRange(policy, nominalMs, account.lastDelayMs);
  const hintMs = outcome.kind === 'failure' ? outcome.retryAfterMs : undefined;
  return { nominalMs, ...range, random, drawnMs: drawDelayMs(range, random), hintMs };
}

/** Blocks may be in another order than their transactions: the records of a job are put in the order of revisions. */
function inOrder(steps: readonly ReplayStep[]): ReplayStep[] {
  const lives = new Map<string, Map<number, ReplayStep>[]>();
  for (const step of steps) {
    const { id, revision, event } = step.record;
    if (isNote(event)) continue;
    const own = lives.get(id) ?? [];
    lives.set(id, own);
    // An id may be used again, so a revision that is there already belongs to the next life.
    const life = own.find((others) => !others.has(revision));
    if (life === undefined) own.push(new Map([[revision, step]]));
    else life.set(revision, step);
  }
  const queues = new Map(
    [...lives].map(([id, own]) => [id, own.flatMap((life) => [...life.values()].sort(byRevision))]),
  );
  return steps.map((step) => {
    const { id, event } = step.record;
    return (isNote(event) ? undefined : queues.get(id)?.shift()) ?? step;
  });
}

function byRevision(a: ReplayStep, b: ReplayStep): number {
  return a.record.revision - b.record.revision;
}
