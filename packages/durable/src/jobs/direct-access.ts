import { RedriveError } from '@redrive/core';
import type { DirectRun } from '../worker/direct-run.ts';

/** For sources that run events before they store them. */
export interface DirectAccess {
  /** @throws RedriveError `unknown_handler`; `invalid_option`: the handler needs stored jobs. */
  check(handler: string): void;
  /** Begins to run events of a handler. `undefined`: something stops them, so store them. */
  begin(work: { readonly queue: string; readonly handler: string }): DirectRun | undefined;
}

/** Not a part of the public `Jobs`. A shared symbol, because the process may have two copies of the package. */
const DIRECT = Symbol.for('redrive.direct');

export function giveDirectAccess(jobs: object, access: DirectAccess): void {
  Object.defineProperty(jobs, DIRECT, { value: access });
}

/** @throws RedriveError `invalid_option`: they are not those of `jobsOn`. */
export function directAccessTo(jobs: object): DirectAccess {
  const access = (jobs as { readonly [DIRECT]?: DirectAccess })[DIRECT];
  if (access !== undefined) return access;
  throw new RedriveError('invalid_option', 'A direct source needs the jobs of jobsOn()');
}
