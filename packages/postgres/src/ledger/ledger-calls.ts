import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { type GroupCommit, groupCommit, wholeMs } from '@redrive/durable/store';
import { plainArray, textArray } from '../apply/array-literal.ts';
import type { Connection, Row } from '../connect/connection.ts';
import { isRolledBack, unavailable } from '../connect/errors.ts';
import { pause } from '../connect/pause.ts';

/** One call of a ledger, as the function `ledger_step` takes it. */
export interface LedgerCall {
  readonly what: 'reserve' | 'renew' | 'complete' | 'fail' | 'look' | 'clear';
  readonly key: string;
  readonly token?: number;
  readonly fingerprint?: string;
  readonly leaseMs?: number;
  /** `Infinity`: for ever. */
  readonly retentionMs?: number;
  readonly value?: string | null;
  /** Of `fail` the failure, of `complete` the metadata: JSON. */
  readonly error?: string | null;
}

export interface LedgerAnswer {
  readonly answer: string;
  readonly token: number;
  readonly fingerprint: string;
  readonly value: string | null;
  /** The failure or, of a key that is done, its metadata: JSON. */
  readonly error: string | null;
  readonly leaseLeftMs: number;
}

export interface LedgerCallsOptions {
  readonly store: string;
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
  readonly connection: Connection;
}

const MAX_CALLS = 1_000;
/** Between two looks at a key that a caller's transaction is at work on. */
const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 50;

/** Carries out calls of all ledgers of a store: what arrives together commits together. */
export class LedgerCalls {
  readonly #options: LedgerCallsOptions;
  readonly #commits: GroupCommit<LedgerCall, LedgerAnswer>;

  constructor(options: LedgerCallsOptions) {
    this.#options = options;
    this.#commits = groupCommit<LedgerCall, LedgerAnswer>({
      commit: (calls) => this.#commit(calls),
      maxCommands: MAX_CALLS,
      inFlight: 1,
      isCallersFault: isRolledBack,
      timeoutMs: options.timeoutMs,
    });
  }

  /**
   * The answer. While a caller's transaction is at work on the key it asks again for at most `patienceMs`, and then
   * answers `busy`.
   */
  async call(call: LedgerCall, patienceMs: number): Promise<LedgerAnswer> {
    const untilMs = systemClock.monotonic() + patienceMs;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS)) {
      const [answer] = await this.#commits.apply([call]);
      if (answer === undefined) throw new RedriveError('store_unavailable', 'No answer', {});
      const leftMs = untilMs - systemClock.monotonic();
      if (answer.answer !== 'busy' || leftMs <= 0) return answer;
      await pause(Math.min(waitMs, leftMs));
    }
  }

  /** The same, for calls that need an answer. @throws RedriveError `store_unavailable` while the key is in use. */
  async demand(call: LedgerCall): Promise<LedgerAnswer> {
    const { store, timeoutMs } = this.#options;
    const answer = await this.call(call, timeoutMs);
    if (answer.answer !== 'busy') return answer;
    const why = `A transaction that runs ${call.key} once has not ended within ${timeoutMs} ms`;
    throw unavailable(store, why);
  }

  /** Resolves when everything that was asked for is done. */
  drain(): Promise<void> {
    return this.#commits.drain();
  }

  async #commit(calls: readonly LedgerCall[]): Promise<readonly LedgerAnswer[]> {
    const { connection, schema, clock, timeoutMs } = this.#options;
    const values = [
      clock?.now() ?? null,
      textArray(calls.map(({ what }) => what)),
      textArray(calls.map(({ key }) => key)),
      plainArray(calls.map(({ token }) => token)),
      textArray(calls.map(({ fingerprint }) => fingerprint)),
      plainArray(calls.map(({ leaseMs }) => leaseMs && Math.ceil(leaseMs))),
      plainArray(calls.map(({ retentionMs }) => wholeMs(retentionMs ?? Infinity))),
      textArray(calls.map(({ value }) => value)),
      textArray(calls.map(({ error }) => error)),
    ];
    const rows = await connection.share(
      (session) =>
        session.query({
          name: 'redrive ledger_step',
          text: `select * from "${schema}".ledger_step($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          values,
        }),
      timeoutMs,
    );
    const answers: LedgerAnswer[] = [];
    for (const row of rows) answers[Number(row[0]) - 1] = readAnswer(row);
    return answers;
  }
}

function readAnswer([, answer, token, fingerprint, value, error, leaseLeft]: Row): LedgerAnswer {
  return {
    answer: answer ?? '',
    token: Number(token),
    fingerprint: fingerprint ?? '',
    value: value ?? null,
    error: error ?? null,
    leaseLeftMs: Number(leaseLeft),
  };
}
