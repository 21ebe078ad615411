import type { IncomingMessage } from 'node:http';
import type { Clock } from '@redrive/core';
import { secret } from './access/secret.ts';
import type { Who } from './access/who.ts';

const GOOD_FOR_MS = 60_000;
/** Addresses that wait; beyond them the oldest are forgotten. */
const MAX_WAITING = 1_000;
const ADDRESS = /^\/v1\/downloads\/([\w-]{43})$/;

/** The request that a single-use address stands for. */
interface Download {
  /** Path and query of a GET. */
  readonly path: string;
  /** The caller who made the address. `undefined`: the token or the sign-in has ended. */
  readonly who: () => Who | undefined;
  readonly untilMs: number;
}

/**
 * Single-use addresses of files that a browser saves: it sends no key along with a link. Every check of the route that
 * the address stands for applies.
 */
export class Downloads {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Download>();
  readonly #taken = new WeakMap<IncomingMessage, Download>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the address, which is good once, for 60 seconds. */
  make(path: string, who: Download['who']): string {
    const nowMs = this.#clock.monotonic();
    for (const [code, { untilMs }] of this.#waiting) {
      if (untilMs > nowMs && this.#waiting.size < MAX_WAITING) break;
      this.#waiting.delete(code);
    }
    const code = secret();
    this.#waiting.set(code, { path, who, untilMs: nowMs + GOOD_FOR_MS });
    return `/v1/downloads/${code}`;
  }

  /** The path of a request: that of the download, if its address is one. */
  readonly take = (request: IncomingMessage): string => {
    const { url = '/', method } = request;
    const [, code = ''] = (method === 'GET' && ADDRESS.exec(url)) || [];
    const found = this.#waiting.get(code);
    if (found === undefined) return url;
    this.#waiting.delete(code);
    if (found.untilMs <= this.#clock.monotonic()) return url;
    this.#taken.set(request, found);
    return found.path;
  };

  /** The caller who made the address of this request. `undefined`: it has none, or their rights have ended. */
  whoTakes(request: IncomingMessage): Who | undefined {
    return this.#taken.get(request)?.who();
  }
}
