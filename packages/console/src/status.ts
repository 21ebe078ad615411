import { signal } from '@preact/signals';
import type {
  EscalationsListAnswer,
  OperationsListAnswer,
  StatusShowAnswer,
} from '@redrive/client';
import { asProblem, client, type RedriveClientError } from './api.ts';
import { clock } from './clock.ts';
import { live } from './live.ts';
import { me } from './me.ts';

export type StatusDocument = StatusShowAnswer & {
  /** Bulk operations that are not finished. */
  readonly operations: OperationsListAnswer['operations'];
  /** Escalations that need a person: tier 2 and above. */
  readonly escalations: EscalationsListAnswer['escalations'];
};

/** The state of everything, for the frame and the overview: one request for all of them. */
export const status = signal<StatusDocument | undefined>(undefined);
export const statusProblem = signal<RedriveClientError | undefined>(undefined);

const UNFINISHED: readonly string[] = ['running', 'paused', 'stopped'];
const EVERY_MS = 3_000;
const HIDDEN_MS = 15_000;

/** @returns how to stop. */
export function startStatus(): () => void {
  const stop = new AbortController();
  let timer = clock.setTimer(0, tick);
  function tick(): void {
    if (live.value.state === 'paused') {
      timer = clock.setTimer(EVERY_MS, tick);
      return;
    }
    void readStatus(stop.signal).finally(() => {
      if (!stop.signal.aborted)
        timer = clock.setTimer(document.hidden ? HIDDEN_MS : EVERY_MS, tick);
    });
  }
  return () => {
    stop.abort();
    timer.cancel();
  };
}

/** Also after an act, so that its result shows at once. */
export async function readStatus(signal?: AbortSignal): Promise<void> {
  // They are not for a user of one tenant: one refusal is enough.
  if (typeof me.value?.tenant === 'string' && statusProblem.value?.status === 403) return;
  try {
    const [found, operations, escalated] = await Promise.all([
      client.status.show({}, { signal }),
      client.operations.list({ limit: 100 }, { signal }),
      client.escalations.list({}, { signal }),
    ]);
    status.value = {
      ...found,
      operations: operations.operations.filter(({ state }) => UNFINISHED.includes(state)),
      escalations: escalated.escalations.filter(({ tier }) => tier >= 2),
    };
    statusProblem.value = undefined;
  } catch (error) {
    if (!signal?.aborted) statusProblem.value = asProblem(error);
  }
}
