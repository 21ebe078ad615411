import { RedriveError } from '@redrive/core';
import type { DirectRun } from '../worker/direct-run.ts';

/** For consumers of events: what they need of jobs, and users do not. */
export interface DirectAccess {
  /** Reports a source that expects its dead letters at the broker, if these jobs have no handler that publishes them. */
  expectPublisher(source: { readonly name: string; readonly publishTo: string }): void;
  /** The hook of the handler's jobs. */
  onDeadOf(handler: string): string | undefined;
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

/** `undefined`: they are not those of `jobsOn`. */
export function knownAccessTo(jobs: object): DirectAccess | undefined {
  return (jobs as { readonly [DIRECT]?: DirectAccess })[DIRECT];
}

/** @throws RedriveError `invalid_option`: they are not those of `jobsOn`. */
export function directAccessTo(jobs: object): DirectAccess {
  const access = knownAccessTo(jobs);
  if (access !== undefined) return access;
  throw new RedriveError('invalid_option', 'A direct source needs the jobs of jobsOn()');
}
