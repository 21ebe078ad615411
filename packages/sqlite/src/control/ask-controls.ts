import type { Clock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { type ControlStore, MAX_PARK_COUNT, type Pause } from '@redrive/durable/store';
import type { Caller } from '../thread/caller.ts';
import type { FoundControls, ParkRow, PauseRow } from './control-tasks.ts';

export interface ControlParts {
  readonly reader: Caller;
  readonly writer: Caller;
  readonly clock: Clock | undefined;
}

/** The queries about controls. */
export function askControls({
  reader,
  writer,
  clock,
}: ControlParts): ControlStore & Pick<Store, 'pauses'> {
  return {
    async controls() {
      const found = await reader.call<FoundControls>('controls', { nowMs: clock?.now() });
      const { revision, nowMs, rows, pauses } = found;
      const all = rows.map(([kind, key, of, document]) => ({ kind, key, revision: of, document }));
      return { revision, nowMs, all, pauses: pauses.map(pauseOf) };
    },

    // Asked on the writing thread, like a heartbeat: on the reading thread it could wait for a long query.
    controlRevision: () => writer.call('controlRevision'),

    async parks() {
      return (await reader.call<ParkRow[]>('parks')).map(([cause, found]) => {
        return {
          cause,
          count: Math.min(found, MAX_PARK_COUNT),
          bounded: found > MAX_PARK_COUNT,
        };
      });
    },

    async pauses() {
      return (await reader.call<PauseRow[]>('pauses')).map(pauseOf);
    },
  };
}

function pauseOf([scope, name, sinceMs, by, why]: PauseRow): Pause {
  return { scope, name, sinceMs, by, why: why ?? undefined };
}
