import { isRunning } from '@redrive/core';
import type { AttemptLog, Settlement } from '@redrive/durable/store';
import { accountText } from '../job/account-text.ts';
import { writeJson } from '../job/json-text.ts';
import { SETTLEMENT_COLUMNS, type SettlementColumn } from '../schema/settle-function.ts';
import { joinedTexts, plainArray, textArray } from './array-literal.ts';

export type Values = readonly (string | number | null)[];

const text =
  (of: (settlement: Settlement) => string | null | undefined) =>
  (all: readonly Settlement[]): string | null =>
    textArray(all.map(of));

const joined =
  (of: (settlement: Settlement) => string | null | undefined) =>
  (all: readonly Settlement[]): string | null =>
    joinedTexts(all.map(of));

const plain =
  (of: (settlement: Settlement) => number | true | undefined, usual?: number) =>
  (all: readonly Settlement[]): string | null =>
    plainArray(all.map(of), usual);

const COLUMNS: Record<SettlementColumn, (all: readonly Settlement[]) => string | null> = {
  id: text(({ id }) => id),
  token: plain(({ token }) => token),
  next: joined(({ to }) => to),
  reason: joined(({ reason }) => reason),
  attempts: joined(({ attempts }) => attemptsText(attempts)),
  detail: joined(({ detail }) => detail),
  generation: plain(({ account }) => account.generation),
  claims: plain(({ account }) => account.claims),
  executions: plain(({ account }) => account.executions),
  failed: plain(({ account }) => account.entries.failed, 0),
  lease_lost: plain(({ account }) => account.entries.lease_lost, 0),
  account: joined(({ account }) => accountText(account)),
  retry_count: plain(({ retryCount }) => retryCount, 0),
  error_class: joined(({ errorClass }) => errorClass),
  due_in: plain(({ dueInMs }) => (dueInMs === undefined ? undefined : Math.ceil(dueInMs))),
  cause: text(({ cause }) => cause),
  result: joined(({ result }) => result),
  result_omitted: plain(({ resultOmittedBytes }) => resultOmittedBytes),
  expired: plain(({ by }) => (by === 'expired' ? true : undefined)),
  // An account with a running attempt is none that a settlement may leave behind.
  unfit: plain(({ account }) => (isRunning(account) ? true : undefined)),
};

/** The parameters of `settle`, in their order. */
export function encodeSettlements(settlements: readonly Settlement[]): Values {
  return SETTLEMENT_COLUMNS.map(([name]) => COLUMNS[name](settlements));
}

export const NO_SETTLEMENTS: Values = SETTLEMENT_COLUMNS.map(() => null);

function attemptsText(log: AttemptLog): string | null {
  return log.kept.length === 0 && log.omitted === 0 ? null : writeJson(log);
}
