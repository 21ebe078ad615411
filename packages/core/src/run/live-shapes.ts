import { definePolicy } from '../policy/define-policy.ts';
import { AbortableAttempt } from './abortable-attempt.ts';
import { Attempt } from './attempt.ts';
import { GuardedAttempt } from './guarded-attempt.ts';
import { Session } from './session.ts';

let shapes: readonly unknown[] | undefined;

/**
 * Keeps one instance of every hot class alive. V8 throws optimised code away when a full garbage collection finds no
 * object of a shape that the code was made for; calls are so short-lived that this happens all the time, and costs up
 * to half of their speed.
 */
export function keepShapesAlive(): void {
  if (shapes !== undefined) return;
  const policy = definePolicy();
  const operation = (): void => {};
  const plain = new Attempt(operation, policy, {}, undefined, 1);
  const abortable = new AbortableAttempt(operation, policy, {}, new AbortController().signal);
  const guarded = new GuardedAttempt(operation, policy, {}, undefined, 1);
  shapes = [plain, abortable, guarded, new Session(plain)];
}
