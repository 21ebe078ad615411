import { type Command, commandSize } from '@redrive/durable/store';

/** The size of these commands, counted in commands. */
export function sizeOf(commands: readonly Command[]): number {
  return commands.reduce((sum, command) => sum + sizeOfOne(command), 0);
}

function sizeOfOne(command: Command): number {
  switch (command.kind) {
    case 'enqueue': {
      const { payload } = command.job;
      // A byte is encoded as two hex digits.
      return commandSize(payload.kind === 'json' ? payload.text.length : 2 * payload.bytes.length);
    }
    case 'settle':
      return commandSize(command.settlement.result?.length ?? 0);
    default:
      return 1;
  }
}
