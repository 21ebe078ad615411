import { type AttemptAccount, isRunning } from '@redrive/core/stored';
import { type Settlement, settledAttempts } from '@redrive/durable/store';
import { accountText } from '../job/account-text.ts';
import { OWN_SEPARATOR, SHARED } from '../schema/audit-sql.ts';
import { SETTLEMENT_COLUMNS, type SettlementColumn } from '../schema/settle-function.ts';
import { joinedTexts, onceIfAlike, plainArray, textArray } from './array-literal.ts';
import type { Locators } from './locators.ts';

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
  (of: (settlement: Settlement) => number | true | undefined, otherwise?: number) =>
  (all: readonly Settlement[]): string | null =>
    plainArray(all.map(of), otherwise);

/** For columns that are never null. */
const alike =
  (of: (settlement: Settlement) => number) =>
  (all: readonly Settlement[]): string | null =>
    plainArray(onceIfAlike(all.map(of)));

const alikeTexts =
  (of: (settlement: Settlement) => string) =>
  (all: readonly Settlement[]): string | null =>
    joinedTexts(onceIfAlike(all.map(of)));

const COLUMNS: Record<
  Exclude<SettlementColumn, 'tid'>,
  (all: readonly Settlement[]) => string | null
> = {
  id: text(({ id }) => id),
  token: alike(({ token }) => token),
  next: alikeTexts(({ to }) => to),
  reason: alikeTexts(({ reason }) => reason),
  attempts: joined(settledAttempts),
  detail: details,
  generation: alike(({ account }) => account.generation),
  claims: alike(({ account }) => account.claims),
  executions: alike(({ account }) => account.executions),
  failed: plain(({ account }) => account.entries.failed, 0),
  lease_lost: plain(({ account }) => account.entries.lease_lost, 0),
  account: joined(({ account }) => settledAccountText(account)),
  retry_count: plain(({ retryCount }) => retryCount, 0),
  error_class: joined(({ errorClass }) => errorClass),
  due_in: plain(({ dueInMs }) => (dueInMs === undefined ? undefined : Math.ceil(dueInMs))),
  cause: text(({ cause }) => cause),
  result: joined(({ result }) => result),
  result_omitted: plain(({ resultOmittedBytes }) => resultOmittedBytes),
  expired: plain(({ by }) => (by === 'expired' ? true : undefined)),
  // A settlement ends the attempt, so its account must not have a running one.
  unfit: plain(({ account }) => (isRunning(account) ? true : undefined)),
  fingerprint: joined(({ to, group }) => (to === 'dead' ? group?.fingerprint : undefined)),
  // Postgres cannot store a text with a zero byte.
  pattern: joined(({ to, group }) =>
    to === 'dead' ? group?.pattern.replaceAll('\0', '\ufffd') : undefined,
  ),
};

/** The detail of the first settlement that has values of its own is sent once for all that share it. */
function details(all: readonly Settlement[]): string | null {
  const shared = all.find(({ own }) => own !== undefined)?.detail;
  if (shared === undefined) return joinedTexts(onceIfAlike(all.map(({ detail }) => detail)));
  const each = all.map(({ detail, own }) => {
    if (own === undefined) return detail;
    return `${detail === shared ? '' : detail}${OWN_SEPARATOR}${own}`;
  });
  return `${SHARED}${shared}${SHARED}${joinedTexts(each)}`;
}

/** The parameters of `settle`, in their order. */
export function encodeSettlements(settlements: readonly Settlement[], locators: Locators): Values {
  return SETTLEMENT_COLUMNS.map(([name]) =>
    name === 'tid'
      ? textArray(settlements.map(({ id }) => locators.find(id)))
      : COLUMNS[name](settlements),
  );
}

/** Most accounts end with one success and nothing else: encoded as null. An empty account is encoded as 0. */
function settledAccountText(account: AttemptAccount): string | null {
  const text = accountText(account);
  return text === '1' ? null : (text ?? '0');
}
