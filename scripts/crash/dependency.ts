import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** How the dependency of the harness's jobs answers. */
export interface DependencyState {
  /** `limited`: with a hint when to come again. */
  readonly answers: 'ok' | 'limited' | 'down';
  readonly hintMs: number;
  /** Whether the cause is gone that makes some jobs die. */
  readonly isMended: boolean;
}

export const HEALTHY: DependencyState = { answers: 'ok', hintMs: 0, isMended: false };

/** Tells every process at once: they look into the file at each attempt. */
export function setDependency(file: string, state: DependencyState): void {
  writeFileSync(`${file}.part`, JSON.stringify(state));
  renameSync(`${file}.part`, file);
}

export function askDependency(file: string | undefined): DependencyState {
  // What is in there is written by `setDependency` alone.
  return file === undefined ? HEALTHY : (JSON.parse(readFileSync(file, 'utf8')) as DependencyState);
}
