import { type Actor, keptWhy } from '../store/commands.ts';

/** The audit note of an operator's act: who, why, the act, and its details. */
export function controlNote({ name, why }: Actor, act: string, more: object = {}): object {
  return { by: name, why: keptWhy(why), act, ...more };
}
