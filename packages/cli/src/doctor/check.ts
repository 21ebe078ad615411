import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Invocation } from '../command/command-spec.ts';
import type { CheckedConfig } from '../config/load-config.ts';

/** Something that is not as it should be. */
export interface Finding {
  /** The check that found it, or one of its parts. */
  readonly check: string;
  /** A problem makes the command fail. */
  readonly level: 'problem' | 'warning';
  readonly message: string;
  /** The next step of the operator, mostly a command. */
  readonly remedy: string;
  /** Ids of the jobs that it is about. */
  readonly jobs: readonly string[];
}

/** The parts that checks read. A check does not run when a part that it needs is missing. */
export interface Subject {
  readonly invocation: Invocation;
  readonly clock: Clock;
  /** Valid or not. */
  readonly config: Promise<CheckedConfig>;
  /** The address of the store. */
  readonly url: Promise<string>;
  readonly store: Promise<FullStore>;
  /** Warnings of the store, from its opening on. */
  readonly warnings: readonly string[];
  /** Filled in by the check of the rows. */
  readonly rows: { read: number; putBack: readonly string[] };
}

/** One thing that doctor looks at. */
export interface Check {
  readonly name: string;
  /** Part of the subject without which it says nothing: another check reports that it is missing. */
  readonly needs: readonly ('store' | 'config')[];
  /** Default 10 s. */
  readonly limitMs?: number;
  readonly run: (subject: Subject) => Promise<readonly Finding[]>;
}

export function problem(check: string, message: string, remedy: string): Finding {
  return { check, level: 'problem', message, remedy, jobs: [] };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: 'warning', message, remedy, jobs: [] };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
