import type { Who as Caller } from '@redrive/operate/manifest';

/** `viewer`, `operator` or `admin`: each may do everything that the one before may. */
export type Role = Caller['role'];

/** Requests per second. */
export const DEFAULT_RATE = 50;

/** The caller of a request: the owner of a token, a person who has signed in, or a user of a trusted proxy. */
export interface Who extends Caller {
  /** Requests per second. */
  readonly rate: number;
  /** A browser sends a cookie, ours or the proxy's, by itself, so its requests need more checks. */
  readonly by: 'token' | 'sign-in' | 'proxy';
}
