import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bugs that a queue with retries has had somewhere: each one must be caught by some test. */
export const BUGS = [
  'fence dropped',
  'acknowledged before commit',
  'attempt counted at the end',
  'lease from the old clock',
  'audit outside the transaction',
  'ledger check-then-insert',
  'jitter past the cap',
  'requeue keeping its token',
  'purge of a leased item',
  'breaker skipping half-open',
  'dead letter after the acknowledgement',
  'promotion without its guard',
  'claim past a kill switch',
  'control written over what nobody has seen',
] as const;

export type Bug = (typeof BUGS)[number];

/** A piece of source and what stands in its place when the bug is there. */
export interface Change {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A bug, planted in one place. */
export interface Mutant {
  readonly bug: Bug;
  /** `core`, `model` for the function that says what may happen to a job, or a store. */
  readonly where: 'core' | 'model' | 'sqlite' | 'postgres';
  readonly changes: readonly Change[];
  /** Test files of which one at least must fail. */
  readonly tests: readonly string[];
  /** Only tests with this in their names. Default: all of these files. */
  readonly about?: string;
}

export function nameOf({ bug, where }: Mutant): string {
  return `${bug} (${where})`;
}

/** Says what is wrong with a change, if it cannot be made any more. */
export function problemOf(root: string, { file, find, replace }: Change): string | undefined {
  const count = readFileSync(join(root, file), 'utf8').split(find).length - 1;
  if (count !== 1) return `${file}: found ${count} times instead of once: ${find}`;
  return find === replace ? `${file}: changes nothing: ${find}` : undefined;
}

/**
 * Plants the bug. Answers how to take it out again.
 *
 * @throws Error when a piece of source is not there any more: then the mutant has to be written anew.
 */
export function plant(root: string, { changes }: Mutant): () => void {
  const before = new Map<string, string>();
  for (const change of changes) {
    const problem = problemOf(root, change);
    if (problem !== undefined) throw new Error(problem);
    const path = join(root, change.file);
    const text = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, text);
    writeFileSync(
      path,
      text.replace(change.find, () => change.replace),
    );
  }
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}
