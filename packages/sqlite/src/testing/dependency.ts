import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@redrive/core';

/** A request as the dependency saw it. All processes of a test have one wall clock. */
export interface Asked {
  readonly n: number;
  readonly worker: string;
  /** When the attempt started that sent it. */
  readonly startedAtMs: number;
  /** When it arrived. */
  readonly atMs: number;
}

export interface Dependency {
  readonly url: string;
  /** Its log: the evidence. */
  readonly asked: Asked[];
  /** Resolves when it was asked so often. */
  countIs(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An HTTP server on loopback that answers after `tookMs`, and keeps a log of who asked. */
export async function dependency(
  answer: (asked: Asked, response: ServerResponse) => void,
  tookMs: number,
): Promise<Dependency> {
  const asked: Asked[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const each: Asked = {
      n: Number(searchParams.get('n')),
      worker: searchParams.get('worker') ?? '',
      startedAtMs: Number(searchParams.get('startedAtMs')),
      atMs: systemClock.now(),
    };
    asked.push(each);
    for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
    systemClock.setTimer(tookMs, () => answer(each, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    async countIs(count) {
      if (asked.length >= count) return;
      await new Promise<void>((resolve) => waiting.push({ count, resolve }));
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
