import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Invocation } from '../command/command-spec.ts';
import { doctorDocument } from '../doctor/doctor.ts';
import { CHECKS, runChecks } from '../doctor/run-checks.ts';
import { type OpenSweeps, openSweeps } from '../sweep/configured-sweeps.ts';

interface Served {
  readonly config: () => Config;
  readonly store: FullStore;
  /** The store's URL. */
  readonly url: string;
  readonly clock: Clock;
}

/** Doctor reads every job for the first, and the ports are those of this process. */
const NOT_SERVED = ['rows', 'ports'];

/** Parts of the API that only the command can make, because it knows the adapters. */
export function servedParts(invocation: Invocation, { config, store, url, clock }: Served) {
  let open: Promise<OpenSweeps> | undefined;
  return {
    /** The databases are opened at the first request; one that failed is tried again. */
    async sweeps() {
      open ??= openSweeps(invocation.io, config).catch((error: unknown) => {
        open = undefined;
        throw error;
      });
      return (await open).sweeps;
    },
    async doctor() {
      const checks = await runChecks(
        CHECKS.filter(({ name }) => !NOT_SERVED.includes(name)),
        {
          ...{ invocation, clock, warnings: [], rows: { read: 0, putBack: [] } },
          config: Promise.resolve({ config: config(), text: '', problems: [] }),
          url: Promise.resolve(url),
          store: Promise.resolve(store),
        },
      );
      return doctorDocument(store.name, checks);
    },
    async close() {
      await (await open?.catch(() => undefined))?.close();
    },
  };
}
