import type { Actor } from '../store/commands.ts';
import { keptWhy } from '../store/kept-why.ts';

/** What an operator's act leaves in the audit log: who, why, what was done, and what else there is to know. */
export function controlNote({ name, why }: Actor, act: string, more: object = {}): object {
  return { by: name, why: keptWhy(why), act, ...more };
}
