import type { JobState } from '@redrive/durable';
import {
  type Change,
  type Command,
  isFinal,
  type ReleaseResult,
  type Result,
  type TickResult,
} from '@redrive/durable/store';

/** The changes of these commands that listeners are notified of. */
export function changesOf(commands: readonly Command[], results: readonly Result[]): Set<Change> {
  const changes = new Set<Change>();
  commands.forEach((command, at) => {
    const result = results[at];
    if (result?.ok !== true) return;
    switch (command.kind) {
      case 'enqueue':
        changes.add('ready');
        break;
      case 'control':
        changes.add('control');
        if (command.of === 'kill' && command.document === undefined) changes.add('ready');
        break;
      case 'release':
        // Results have the kind of their command.
        if ((result as ReleaseResult).released > 0) changes.add('ready');
        break;
      case 'settle':
        changes.add(isFinal(command.settlement.to) ? 'finished' : 'ready');
        break;
      case 'act':
        if ('state' in result)
          changes.add(isFinal(result.state as JobState) ? 'finished' : 'ready');
        break;
      case 'tick': {
        const { promoted, released, expired } = result as TickResult;
        if (expired > 0) changes.add('finished');
        if (promoted + released > 0) changes.add('ready');
        break;
      }
      default:
        break;
    }
  });
  return changes;
}
