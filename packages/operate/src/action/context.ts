import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Sweep } from '@redrive/durable/documents';
import type { Actor } from '@redrive/durable/store';
import type * as z from 'zod';
import type { Access } from '../access/access.ts';
import type { DoctorAnswer } from '../doctor/doctor.ts';
import type { FIGURES } from '../metrics/figures.ts';
import type { BulkAnswer } from '../operation/bulk-answer.ts';
import type { OperationAnswer } from '../operation/operation-answer.ts';
import type { Who } from './who.ts';

/** Everything that an action may use. The command line makes one for a store, the server one per request. */
export interface Context {
  readonly store: FullStore;
  readonly clock: Clock;
  /** The configuration in force. */
  readonly config: () => Promise<Config>;
  /** The configuration in a file of the caller. Absent on a server, which reads no files for callers. */
  readonly configIn?: ((file: string) => Promise<Config>) | undefined;
  /** The collections that are swept, with their databases open: all, or the one of this name. */
  readonly sweeps: (only?: string) => Promise<readonly Sweep[]>;
  /** Tokens and sign-ins. */
  readonly access: () => Promise<Access>;
  /** Checks the installation. Absent: it cannot be checked from here. */
  readonly doctor?: (() => Promise<DoctorAnswer>) | undefined;
  readonly who: Who;
  /** For the audit log, with the reason that was given. */
  readonly actor: Actor;
  /** Aborted when the caller no longer waits: begin nothing more. */
  readonly signal: AbortSignal;
  /** A line for the caller beside the answer, such as a name that no job has. */
  readonly warn: (message: string) => void;
  /** The store's time of the answer. Ages are shown relative to it; without it, to the caller's clock. */
  readonly asOf: (nowMs: number) => void;
  /** Runs a read once for all callers who need it within five seconds; the key has all that the read depends on. */
  readonly remember: <T>(key: string, read: () => Promise<T>) => Promise<T>;
  /** Called by acts that may create their store, after the last check and before the first change. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** Absent: no server runs the action. */
  readonly server?: ServerFacts | undefined;
  /** Reports of a bulk operation that runs in the foreground. Absent: the caller polls. */
  readonly progress?: Progress | undefined;
}

/** What only a server has, because it runs for long. */
export interface ServerFacts {
  /** Figures of the last 24 hours, in memory. */
  readonly figures: (windowMs: number) => Promise<z.input<typeof FIGURES>>;
  /** Aborted when the server closes. */
  readonly closed: AbortSignal;
}

/** How a bulk operation in the foreground reports. */
export interface Progress {
  /** It was confirmed, and runs: its id and its plan. */
  begun(answer: BulkAnswer): void;
  status(status: OperationAnswer): void;
}
