import { actionNamed, type Verdict } from '@redrive/operate';

/** The exit code that an answer means. */
export function verdictOf(name: string, answer: unknown): Verdict {
  const action = actionNamed(name);
  return (action.kind === 'action' && action.verdict?.(answer)) || 'ok';
}
