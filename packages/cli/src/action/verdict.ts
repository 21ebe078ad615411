import { loadAction, type Verdict } from '@redrive/operate/run';

/** The exit code that an answer means. */
export async function verdictOf(name: string, answer: unknown): Promise<Verdict> {
  const action = await loadAction(name);
  return (action.kind === 'action' && action.verdict?.(answer)) || 'ok';
}
