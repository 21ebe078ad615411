import { RedriveError } from '@redrive/core';
import {
  type ActCommand,
  actorDetail,
  type BatchCommand,
  batchDetail,
  batchSubject,
  buriedGroupOf,
  type Command,
  checkLimit,
  type EndBatchesCommand,
  type EnqueueCommand,
  type EnqueueResult,
  hookOf,
  type NoteCommand,
  type NoteOnce,
  type PruneCommand,
  type Result,
  type SettleCommand,
  type SettleResult,
  type TickCommand,
  thenCommand,
  wholeMs,
} from '@redrive/durable/store';
import type { Row, Session } from '../connect/connection.ts';
import { isNeverStored, storeError } from '../connect/errors.ts';
import type { FastPaths } from '../fast-paths.ts';
import { CLOCK_MS } from '../schema/now.ts';
import { plainArray, textArray } from './array-literal.ts';
import { changeBatch, endBatches } from './batch-step.ts';
import { callStep, type StepAnswer, type StepParts, StepStatements } from './call-step.ts';
import { type ControlStepCommand, runControlStep } from './control-step.ts';
import { encodeNewJobs } from './encode-new-jobs.ts';
import type { Values } from './encode-settlements.ts';
import type { Locators } from './locators.ts';
import type { StepResults } from './plain-step.ts';
import { isDead, isFollowed, isNote, type MixedStep, partsOf } from './plan-steps.ts';
import { runActs } from './run-acts.ts';
import { TICKED, tickResult } from './tick-step.ts';

/** Commands that one statement can carry out together. */
const PLAIN: ReadonlySet<Command['kind']> = new Set(['settle', 'enqueue', 'claim']);

export interface MixedStepParts {
  readonly locators: Locators;
  readonly fastPaths: FastPaths;
}

/** Carries out any commands in their order, in one transaction with one audit block. */
export async function runMixedStep(
  session: Session,
  schema: string,
  { batches: [{ commands }], oneByOne }: MixedStep,
  writer: string | null,
  nowMs: number | null,
  { locators, fastPaths }: MixedStepParts,
): Promise<StepResults> {
  await session.query({ text: 'begin' });
  try {
    const step = new MixedRun(session, schema, writer, nowMs, locators, fastPaths);
    const results: Result[] = [];
    if (oneByOne) {
      for (const command of commands) results.push(await step.tryOut(command));
    } else {
      for (const part of partsOf(commands)) results.push(...(await step.carryOut(part)));
    }
    await step.writeBlock();
    await session.query({ text: 'commit' });
    return { results: [results], released: step.mayHaveReleased };
  } catch (error) {
    await session.query({ text: 'rollback' });
    throw error;
  }
}

class MixedRun {
  readonly #session: Session;
  readonly #schema: string;
  readonly #writer: string | null;
  readonly #nowMs: number | null;
  readonly #locators: Locators;
  readonly #fastPaths: FastPaths;
  readonly #records: string[] = [];
  #seq: number | null | undefined;
  /** Jobs that no result names may be ready now. */
  mayHaveReleased = false;

  constructor(
    session: Session,
    schema: string,
    writer: string | null,
    nowMs: number | null,
    locators: Locators,
    fastPaths: FastPaths,
  ) {
    this.#fastPaths = fastPaths;
    this.#locators = locators;
    this.#session = session;
    this.#schema = schema;
    this.#writer = writer;
    this.#nowMs = nowMs;
  }

  /** Carries out commands of the hot path in its order, some notes, or a single other command. */
  async carryOut(commands: readonly Command[]): Promise<readonly Result[]> {
    const [first] = commands;
    if (first === undefined) return [];
    if (isFollowed(first)) return this.#followed(commands.filter(isFollowed));
    if (PLAIN.has(first.kind) && !isDead(first)) return this.#plain(commands);
    if (commands.every(isNote)) return this.#notes(commands);
    // Not checked, because it is rare: at worst workers claim in vain.
    this.mayHaveReleased = true;
    return [await this.#other(first)];
  }

  async #plain(commands: readonly Command[]): Promise<readonly Result[]> {
    const settles = commands.filter((command) => command.kind === 'settle');
    const enqueues = commands.filter((command) => command.kind === 'enqueue');
    const claim = commands.find((command) => command.kind === 'claim');
    const { settled, enqueued, claimed, released } = await this.#step({ settles, enqueues, claim });
    this.mayHaveReleased ||= released;
    return [...settled, ...enqueued, ...(claimed === undefined ? [] : [claimed])];
  }

  /**
   * Settlements with their jobs: all in one statement. If the server refuses one settlement or one job, that is undone, and
   * each settlement is carried out by itself.
   */
  async #followed(settles: readonly SettleCommand[]): Promise<readonly SettleResult[]> {
    const follow = settles.flatMap(({ settlement }) => settlement.follow ?? []);
    const isAlone = settles.length === 1;
    const isDifferent = new Set(follow.map(({ job }) => job.id)).size === follow.length;
    const records = this.#records.length;
    this.mayHaveReleased = true;
    await this.#session.query({ text: 'savepoint redrive_followed' });
    if (isAlone || isDifferent) {
      const refused = await this.#tryFollowed(settles, follow);
      if (refused === undefined) return settles.map(() => ({ ok: true }));
      await this.#session.query({ text: 'rollback to savepoint redrive_followed' });
      this.#records.length = records;
      if (isAlone) return [refused];
    }
    const results: SettleResult[] = [];
    for (const settle of settles) results.push(...(await this.#followed([settle])));
    return results;
  }

  /** The first refusal; what was carried out before it must be undone. */
  async #tryFollowed(
    settles: readonly SettleCommand[],
    follow: readonly EnqueueCommand[],
  ): Promise<SettleResult | undefined> {
    const claim = undefined;
    const { settled } = await this.#step({ settles, enqueues: [], claim });
    const stale = settled.find(({ ok }) => !ok);
    if (stale !== undefined) return stale;
    let at = 0;
    for (const part of partsOf(follow)) {
      const enqueues = part.filter((each) => each.kind === 'enqueue');
      const { enqueued } = await this.#step({ settles: [], enqueues, claim });
      for (const because of enqueued) {
        if (!because.ok) return { ok: false, refusal: 'follow_refused', at, because };
        at += 1;
      }
    }
    return undefined;
  }

  async #other(command: Command): Promise<Result> {
    switch (command.kind) {
      case 'enqueue':
        return this.#bury(command);
      case 'act':
        return this.#act(command);
      case 'tick':
        return this.#tick(command);
      case 'prune':
        return this.#prune(command);
      case 'note':
        if (command.once === undefined || (await this.#isFirst(command.once))) {
          await this.#notes([command]);
        }
        return { ok: true };
      case 'batch':
        return this.#batch(command);
      case 'end_batches':
        return this.#endBatches(command);
      case 'control':
      case 'release':
        return this.#control(command);
      default:
        throw new RedriveError('invalid_option', 'A store does not know this command', { command });
    }
  }

  /** Refuses a settlement that the server can never store; the rest of the transaction stays. */
  async tryOut(command: Command): Promise<Result> {
    if (command.kind !== 'settle') return (await this.carryOut([command]))[0] as Result;
    await this.#session.query({ text: 'savepoint redrive_one' });
    try {
      return (await this.carryOut([command]))[0] as Result;
    } catch (error) {
      if (!isNeverStored(storeError(this.#schema, error))) throw error;
      await this.#session.query({ text: 'rollback to savepoint redrive_one' });
      return { ok: false, refusal: 'illegal' };
    }
  }

  async #step(parts: StepParts): Promise<StepAnswer> {
    const frame = { nowMs: this.#nowMs, seq: await this.#block(), writer: null };
    const statements = new StepStatements(this.#schema);
    const answer = await callStep(this.#session, statements, frame, parts, this.#locators);
    this.#record(answer.records);
    return answer;
  }

  /** Writes the collected records as one block. */
  async writeBlock(): Promise<void> {
    if (this.#writer === null || this.#records.length === 0) return;
    await this.#session.query({
      name: 'redrive write_block',
      text: `select "${this.#schema}".write_block($1, coalesce($2, ${CLOCK_MS}), $3, $4)`,
      values: [await this.#block(), this.#nowMs, this.#writer, this.#records.join(',\n')],
    });
  }

  /** A dead letter that was never a job. */
  async #bury(command: EnqueueCommand): Promise<EnqueueResult> {
    const { dead } = command;
    const { id } = command.job;
    const reason = dead?.reason ?? 'final_error';
    const { fingerprint, pattern } = buriedGroupOf(command);
    const [row] = await this.#recorded('enqueue_dead', 'created', [
      reason,
      fingerprint,
      pattern,
      ...encodeNewJobs([command]),
    ]);
    if (row?.[1] === 't') {
      const hook = hookOf({ ...command.job, account: command.account }, command.actor);
      if (hook !== undefined) await this.#plain([hook]);
      return { ok: true, id, outcome: 'created' };
    }
    return { ok: false, refusal: 'duplicate_id', id };
  }

  async #act(command: ActCommand): Promise<Result> {
    const frame = {
      schema: `"${this.#schema}"`,
      nowMs: this.#nowMs,
      seq: await this.#block(),
      fastPaths: this.#fastPaths,
    };
    const { results, records } = await runActs(this.#session, frame, [command]);
    for (const record of records) this.#record(record);
    // One result per act.
    return results[0] as Result;
  }

  async #tick({ limit, actor }: TickCommand): Promise<Result> {
    const [row] = await this.#recorded('tick', TICKED, [limit, actorDetail(actor)]);
    return tickResult((row ?? []).slice(1), limit);
  }

  async #prune(command: PruneCommand): Promise<Result> {
    const { limit, actor, succeededAfterMs, cancelledAfterMs, deadAfterMs, purgedAfterMs, only } =
      command;
    // An empty list would be encoded as null, which means all.
    if (only?.length === 0) return { ok: true, deleted: 0, more: false };
    const [row] = await this.#recorded('prune', 'deleted, keys', [
      limit,
      actorDetail(actor),
      ...[succeededAfterMs, cancelledAfterMs, deadAfterMs, purgedAfterMs].map(wholeMs),
      only === undefined ? null : textArray(only.map(({ id }) => id)),
      only === undefined ? null : plainArray(only.map(({ revision }) => revision)),
    ]);
    const [, deleted = 0, keys = 0] = (row ?? []).map(Number);
    return { ok: true, deleted, more: Math.max(deleted, keys) >= limit };
  }

  get #batchFrame() {
    return { session: this.#session, schema: `"${this.#schema}"`, nowMs: this.#nowMs };
  }

  async #batch(command: BatchCommand): Promise<Result> {
    const { id, act, actor } = command;
    const answer = await changeBatch(this.#batchFrame, command);
    if (answer.ok && answer.outcome === 'created') {
      await this.#noteBatch(id, batchDetail(act, command, actor));
    }
    return answer;
  }

  async #endBatches({ limit, actor }: EndBatchesCommand): Promise<Result> {
    checkLimit('limit', limit);
    const ended = await endBatches(this.#batchFrame, limit);
    for (const [batch, counts] of ended) {
      await this.#noteBatch(batch.id, batchDetail('end', batch, actor, counts));
      const follows = thenCommand(batch, counts, actor);
      if (follows !== undefined) await this.#plain([follows]);
    }
    return { ok: true, ended: ended.length };
  }

  async #noteBatch(id: string, detail: string): Promise<void> {
    await this.#notes([{ kind: 'note', event: 'batch', subject: batchSubject(id), detail }]);
  }

  async #control(command: ControlStepCommand): Promise<Result> {
    const frame = { nowMs: this.#nowMs, seq: await this.#block(), writer: null };
    const { results, records } = await runControlStep(this.#session, this.#schema, frame, [
      command,
    ]);
    for (const record of records) this.#record(record);
    // One result per command.
    return results[0] as Result;
  }

  /** Their records are made here: the server would send them back for the block. */
  async #notes(notes: readonly NoteCommand[]): Promise<readonly Result[]> {
    const results = notes.map(() => ({ ok: true }) as const);
    if (this.#writer === null) return results;
    const [[now] = []] = await this.#session.query({
      name: 'redrive now',
      text: `select coalesce($1, ${CLOCK_MS})`,
      values: [this.#nowMs],
    });
    for (const { event, subject, detail } of notes) {
      const about = `${JSON.stringify(subject)},0,"${event}",null,null,${now}`;
      this.#record(`[${about},0,0,0,0,${detail}]`);
    }
    return results;
  }

  /** Whether this is the first note with its key. Waits for a transaction that is writing the same key. */
  async #isFirst({ key, forMs }: NoteOnce): Promise<boolean> {
    const now = `coalesce($1::bigint, ${CLOCK_MS})`;
    const s = `"${this.#schema}"`;
    const rows = await this.#session.query({
      name: 'redrive note_once',
      text: `insert into ${s}.ledger as l (key, token, lease_until, until, state, fingerprint)
        values ($2, nextval('${s}.ledger_token'), ${now}, ${now} + $3::bigint, 'done', '')
        on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until,
          until = excluded.until, state = 'done', fingerprint = '', value = null, error = null
        where l.until <= ${now} returning 1`,
      values: [this.#nowMs, key, wholeMs(forMs)],
    });
    return rows.length > 0;
  }

  /** Calls a function that records transitions; the first column of its rows has the records. */
  async #recorded(name: string, columns: string, values: Values): Promise<readonly Row[]> {
    const rows = await this.#call(name, `records, ${columns}`, [await this.#block(), ...values]);
    for (const [records] of rows) this.#record(records);
    return rows;
  }

  #record(records: string | null | undefined): void {
    if (present(records) && records !== '') this.#records.push(records);
  }

  /** The number of this transaction's block; null: no audit. */
  async #block(): Promise<number | null> {
    if (this.#writer === null) return null;
    if (this.#seq === undefined) {
      const [row] = await this.#session.query({
        text: `select nextval('"${this.#schema}".audit_seq')`,
      });
      this.#seq = Number(row?.[0]);
    }
    return this.#seq;
  }

  #call(
    name: string,
    columns: string,
    values: readonly (string | number | boolean | null)[],
  ): Promise<readonly Row[]> {
    const numbers = ['$1', ...values.map((_, at) => `$${at + 2}`)];
    return this.#session.query({
      name: `redrive ${name}`,
      text: `select ${columns} from "${this.#schema}".${name}(${numbers.join(', ')})`,
      values: [this.#nowMs, ...values],
    });
  }
}

function present(value: string | null | undefined): value is string {
  return value !== null && value !== undefined;
}
