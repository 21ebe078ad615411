import { isRedriveError, systemClock } from '@redrive/core';
import { ROLES } from '@redrive/operate/manifest';
import type { TokenSummary } from '@redrive/server/access';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { momentOption, textOption } from '../command/option-values.ts';
import { type AccessAct, accessOf, noteAct, noteRevoked, readable } from '../serve/access-file.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printLines, printText } from '../terminal/io.ts';
import { parseRate, rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { columns, printList } from '../terminal/table.ts';

const COLUMNS = columns('id | name:cyan | role | tenant:optional | expires:optional | rate:right');

export const runTokenCreate: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const dry = options.dryRun === true;
  const role = ROLES.find((each) => each === options.role);
  if (role === undefined) {
    throw new CliError('usage', '--role is missing.', `It is one of ${ROLES.join(', ')}.`);
  }
  const rate = textOption(options, 'rate');
  const wish = {
    role,
    name: textOption(options, 'name'),
    tenant: textOption(options, 'tenant'),
    expiresAtMs: expiry(invocation),
    rate: rate === undefined ? undefined : parseRate(rate, '--rate'),
  };
  const { access, path, url } = await accessOf(invocation);
  if (dry) {
    const planned = { id: '', ...wish, name: wish.name ?? '', rate: wish.rate ?? 50 };
    if (options.json) printJson(io, { token: null, ...tokenJson(planned), dry_run: true });
    else printText(io, `A token with the role ${role} would be created.`);
    return;
  }
  const created = withStore(
    { ...invocation, options: { ...options, store: url, verbose: false } },
    (store) =>
      access.createToken(wish, (made) => noteAct(store, options, actOn('create_token', made))),
    { create: true },
  );
  const token = await created.catch((error: unknown) => {
    if (!isRedriveError(error, 'invalid_option')) throw error;
    const isTaken = error.message.startsWith('Another');
    throw new CliError(isTaken ? 'conflict' : 'failed', error.message, undefined, { cause: error });
  });
  const made = access.tokens().find(({ id }) => token.startsWith(`redrive_${id}_`));
  if (options.json && made !== undefined) {
    printJson(io, { token, ...tokenJson(made), dry_run: false });
    return;
  }
  printLines(io, [token]);
  note(io, 'It is shown this once. Send it as "Authorization: Bearer <token>".');
  note(io, `Its hash is in ${printable(path)}.`);
};

export const runTokenList: RunCommand = async (invocation) => {
  const { access } = await accessOf(invocation);
  printList(invocation, {
    name: 'tokens',
    items: readable(() => access.tokens()),
    document: tokenJson,
    columns: COLUMNS,
    row: (token) => {
      const { id, name, role, tenant, expires } = tokenJson(token);
      return [id, name, role, tenant ?? '', expires ?? '', rateText(token.rate)];
    },
    none: 'There are no tokens. To create one: redrive tokens create --role viewer',
  });
};

export const runTokenRevoke: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [wanted = ''] = args;
  const dry = options.dryRun === true;
  const { access, url } = await accessOf(invocation);
  const isWanted = ({ id, name }: TokenSummary) => id === wanted || name === wanted;
  const found = readable(() => (dry ? access.tokens().find(isWanted) : access.revokeToken(wanted)));
  if (found === undefined) {
    const hint = 'To see all tokens: redrive tokens list';
    throw new CliError('no_match', `There is no token ${wanted}.`, hint);
  }
  if (!dry) await noteRevoked(invocation, url, actOn('revoke_token', found));
  if (options.json) printJson(io, { ...tokenJson(found), revoked: !dry, dry_run: dry });
  else printText(io, `The token ${found.name} ${dry ? 'would be' : 'is'} revoked.`);
};

function actOn(act: 'create_token' | 'revoke_token', token: TokenSummary): AccessAct {
  const { rate: _, ...facts } = tokenJson(token);
  return { subject: `token:${token.name}`, act, facts };
}

function expiry({ io, options }: Invocation): number | undefined {
  const moment = momentOption(options, 'expires');
  if (moment === undefined) return undefined;
  const nowMs = (io.clock ?? systemClock).now();
  const atMs = 'atMs' in moment ? moment.atMs : nowMs + moment.inMs;
  if (atMs > nowMs) return atMs;
  throw new CliError('usage', '--expires is in the past.', 'Write a time to come, such as +30d.');
}

function tokenJson({ id, name, role, tenant, expiresAtMs, rate }: TokenSummary) {
  const expires = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString();
  return { id, name, role, tenant: tenant ?? null, expires, rate };
}
