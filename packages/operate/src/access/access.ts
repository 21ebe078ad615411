import { isRedriveError } from '@redrive/core';
import type { Actor, NoteCommand } from '@redrive/durable/store';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import type { Role } from '../action/who.ts';

interface TokenFacts {
  readonly name?: string | undefined;
  readonly role: Role;
  readonly tenant?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  /** Requests per second. */
  readonly rate?: number | undefined;
}

export type Token = TokenFacts & {
  readonly id: string;
  readonly name: string;
  readonly rate: number;
};

export interface SignIn {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly from: string;
  readonly beganAtMs: number;
  readonly expiresAtMs: number;
  readonly token?: string | undefined;
}

/** Tokens and sign-ins, which are not in the store: they must be revoked also while it does not answer. */
export interface Access {
  tokens(): readonly Token[];
  /** @param before writes the record of it. @throws RedriveError `invalid_option` for a name. */
  createToken(wish: TokenFacts, before: (made: Token) => Promise<void>): Promise<string>;
  revokeToken(idOrName: string): Token | undefined;
  signIns(nowMs: number): readonly SignIn[];
  revokeSignIns(idOrName: string, nowMs: number): readonly SignIn[];
  /** Writes into the audit log of the store. @throws the error of the store. */
  record(note: NoteCommand): Promise<void>;
}

/**
 * An access file as actions use it.
 *
 * @param record writes into the audit log.
 * @param reading carries out each use of the file: the place for the caller's own errors. Default: nothing more.
 */
export function accessPort(
  file: Omit<Access, 'record'>,
  record: Access['record'],
  reading: <T>(use: () => T) => T = (use) => use(),
): Access {
  return {
    tokens: () => reading(() => file.tokens()),
    createToken: (wish, before) => file.createToken(wish, before),
    revokeToken: (idOrName) => reading(() => file.revokeToken(idOrName)),
    signIns: (nowMs) => reading(() => file.signIns(nowMs)),
    revokeSignIns: (idOrName, nowMs) => reading(() => file.revokeSignIns(idOrName, nowMs)),
    record,
  };
}

export function actNote(
  { name: by, why }: Actor,
  subject: string,
  act: string,
  facts: object,
): NoteCommand {
  return {
    kind: 'note',
    event: 'act',
    subject,
    detail: JSON.stringify({ by, why, act, ...facts }),
  };
}

/** Records a revocation that was carried out. A store that does not answer is a warning: it must not stop one. */
export async function recordRevoked(
  access: Access,
  { warn }: Context,
  note: NoteCommand,
): Promise<void> {
  await access.record(note).catch((error: unknown) => {
    warn(
      `The audit log has no record of it: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}

/** The refusal of a name for a token; other errors are the caller's. */
export function nameRefusal(error: unknown): unknown {
  if (!isRedriveError(error, 'invalid_option')) return error;
  return error.message.startsWith('Another')
    ? new Refusal('conflict', error.message)
    : new Refusal('invalid_input', error.message);
}
