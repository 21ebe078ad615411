import { systemClock } from '@redrive/core';
import type { SignInSummary } from '@redrive/server/access';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { accessOf, noteRevoked, readable } from '../serve/access-file.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printText } from '../terminal/io.ts';
import { columns, printList } from '../terminal/table.ts';

const COLUMNS = columns('id | name:cyan | role | from | token:optional | began | expires');

export const runSignInList: RunCommand = async (invocation) => {
  const { access } = await accessOf(invocation);
  printList(invocation, {
    name: 'sign_ins',
    items: readable(() => access.signIns(nowOf(invocation))),
    document: signInJson,
    columns: COLUMNS,
    row: (one) => {
      const { id, name, role, from, token, began, expires } = signInJson(one);
      return [id, name, role, from, token ?? '', began, expires];
    },
    none: 'Nobody is signed in.',
  });
};

export const runSignInRevoke: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [wanted = ''] = args;
  const dry = options.dryRun === true;
  const { access, url } = await accessOf(invocation);
  const nowMs = nowOf(invocation);
  const ended = readable(() =>
    dry
      ? access.signIns(nowMs).filter(({ id, name }) => id === wanted || name === wanted)
      : access.revokeSignIns(wanted, nowMs),
  );
  if (ended.length === 0) {
    const hint = 'To see all sign-ins: redrive sign-ins list';
    throw new CliError('no_match', `There is no sign-in ${wanted}.`, hint);
  }
  if (!dry) {
    const facts = { sign_ins: ended.map(({ id, name, role }) => ({ id, name, role })) };
    await noteRevoked(invocation, url, { subject: 'sign-in', act: 'revoke_sign_in', facts });
  }
  if (options.json) {
    printJson(io, { sign_ins: ended.map(signInJson), revoked: !dry, dry_run: dry });
    return;
  }
  const count = ended.length === 1 ? 'One sign-in' : `${ended.length} sign-ins`;
  const ends = dry ? 'would be revoked' : ended.length === 1 ? 'is revoked' : 'are revoked';
  printText(io, `${count} of ${[...new Set(ended.map(({ name }) => name))].join(', ')} ${ends}.`);
};

function nowOf({ io }: Invocation): number {
  return (io.clock ?? systemClock).now();
}

function signInJson({ id, name, role, from, token, beganAtMs, expiresAtMs }: SignInSummary) {
  const began = new Date(beganAtMs).toISOString();
  const expires = new Date(expiresAtMs).toISOString();
  return { id, name, role, from, token: token ?? null, began, expires };
}
