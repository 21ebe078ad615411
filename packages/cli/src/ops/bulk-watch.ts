import { systemClock } from '@redrive/core';
import { handlersAwaited, type OperationStatus } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import { type Io, note } from '../terminal/io.ts';
import { awaitedText } from './operation-lines.ts';
import { statusLine } from './status-line.ts';

export interface BulkWatch {
  update(status: OperationStatus): void;
  end(): void;
}

/** Without a new result for this long, it looks whether a worker has the handlers of the jobs. */
const NO_RESULT_MS = 1_000;
const LOOK_AGAIN_MS = 10_000;

/** Shows the progress of a bulk operation, and says if its jobs wait for a worker. */
export function bulkWatch(io: Io, store: FullStore): BulkWatch {
  const clock = io.clock ?? systemClock;
  const shown = statusLine(io);
  let results = -1;
  let lookAtMs = Infinity;
  let said: string | undefined;
  const look = async (id: string): Promise<void> => {
    const text = awaitedText(await handlersAwaited(store, id));
    if (text === '' || text === said) return;
    said = text;
    shown.end();
    note(io, text);
  };
  return {
    update(status) {
      shown.update(status);
      const nowMs = clock.monotonic();
      const { id, inFlight, succeeded, cameBack, state } = status;
      if (succeeded + cameBack !== results) {
        results = succeeded + cameBack;
        lookAtMs = nowMs + NO_RESULT_MS;
      }
      if (state !== 'running' || inFlight === 0 || nowMs < lookAtMs) return;
      lookAtMs = nowMs + LOOK_AGAIN_MS;
      // It is a hint only: the next look may tell it.
      look(id).catch(() => {});
    },
    end: shown.end,
  };
}
