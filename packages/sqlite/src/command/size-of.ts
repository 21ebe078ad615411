import { commandSize } from '@redrive/durable/store';
import { CONTROL, ENQUEUE, type Encoded, SETTLE } from './encoded.ts';

const ACT_PAYLOAD = 7;
const LEDGER_VALUE = 4;

/** How many commands an encoded one counts for. */
export function sizeOf(command: Encoded): number {
  switch (command[0]) {
    case 'enqueue':
      return commandSize(command[ENQUEUE.payload].length);
    case 'settle':
      return commandSize(command[SETTLE.result]?.length ?? 0);
    case 'act':
      return commandSize(command[ACT_PAYLOAD]?.length ?? 0);
    case 'end':
      return commandSize(command[LEDGER_VALUE]?.length ?? 0);
    case 'control':
      return commandSize(
        (command[CONTROL.document] ?? '').length + (command[CONTROL.note] ?? '').length,
      );
    default:
      return 1;
  }
}
