import { isRedriveError, RedriveError } from '@redrive/core';

/**
 * The error of a statement. With `rolledBack` the server itself refused the statement, so nothing was written. Otherwise
 * the connection was lost or the time was over, and it is unknown whether the statement was applied.
 */
export function storeError(store: string, error: unknown): RedriveError {
  if (isRedriveError(error)) return error;
  const sqlState = sqlStateOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const refusedLogin = loginState(error);
  if (refusedLogin !== undefined) {
    const message = `${store}: the server refuses the login: ${text}. Correct the user or the password in the URL, or let the server accept it (pg_hba.conf).`;
    const details = { store, sqlState: refusedLogin };
    return new RedriveError('store_forbidden', message, details, { cause: error });
  }
  if (sqlState === undefined) {
    return unavailable(store, `${text}; it is unknown whether a running write was applied`, error);
  }
  const details = { store, sqlState, rolledBack: true };
  if (NEVER_STORED.has(sqlState.slice(0, 2))) {
    return new RedriveError('invalid_job', `Postgres cannot store this: ${text}`, details, {
      cause: error,
    });
  }
  if (sqlState === MISSING_RIGHTS) {
    const message = `${store}: ${text}. Grant the role its rights: the README of @redrive/postgres has the statements.`;
    return new RedriveError('store_forbidden', message, details, { cause: error });
  }
  return new RedriveError('store_unavailable', `${store}: ${text}`, details, { cause: error });
}

const MISSING_RIGHTS = '42501';

/** The server refused the login, so no statement was running. */
function loginState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && /^28[0-9A-Z]{3}$/.test(code) ? code : undefined;
}

/** Classes of errors that stay: data that the server cannot store, and its own limits. */
const NEVER_STORED: ReadonlySet<string> = new Set(['22', '54']);

/** Whether the server refuses this data, and always will. */
export function isNeverStored(error: unknown): boolean {
  return isRedriveError(error) && error.code === 'invalid_job';
}

/** The store does not answer, and it is unknown whether a running write was applied. */
export function unavailable(store: string, why: string, cause?: unknown): RedriveError {
  return new RedriveError(
    'store_unavailable',
    `${store}: ${why}`,
    { store },
    cause === undefined ? {} : { cause },
  );
}

/** The server's own code for an error that it answered with; `undefined` for everything else. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  const { code, severity } = error;
  if (typeof code !== 'string' || code.length !== 5) return undefined;
  const isGone = severity !== 'ERROR' && (ENDS_IN_ENGLISH.has(severity) || ENDS.test(code));
  return isGone ? undefined : code;
}

/** After one of these the connection is lost, and its statement may have been committed before. */
const ENDS_IN_ENGLISH: ReadonlySet<unknown> = new Set(['FATAL', 'PANIC']);
/** The same by code, because the server's severity is in the language of its messages. */
const ENDS = /^(?:08|28|3D|53300|57P|58|F0|XX|25P0[345])/;

/** Whether the server has undone the statement. */
export function isRolledBack(error: unknown): boolean {
  return isRedriveError(error) && error.details.rolledBack === true;
}

const DEADLOCK = '40P01';
const SERIALIZATION = '40001';
/** The only check that commands can fail: of the order of audit blocks. */
const CHECK = '23514';

/** Whether the same statement may well succeed at once: it lost against another one. */
export function isLostRace(error: unknown): boolean {
  const sqlState = isRedriveError(error) ? error.details.sqlState : undefined;
  return sqlState === DEADLOCK || sqlState === SERIALIZATION || sqlState === CHECK;
}
