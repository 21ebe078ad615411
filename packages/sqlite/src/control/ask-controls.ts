import type { Clock } from '@redrive/core';
import { type ControlStore, MAX_PARK_COUNT } from '@redrive/durable/store';
import type { Caller } from '../thread/protocol.ts';
import type { FoundControls, ParkRow } from './control-tasks.ts';

export interface ControlParts {
  readonly reader: Caller;
  readonly writer: Caller;
  readonly clock: Clock | undefined;
}

/** The queries about controls. */
export function askControls({ reader, writer, clock }: ControlParts): ControlStore {
  return {
    async controls() {
      const found = await reader.call<FoundControls>('controls', { nowMs: clock?.now() });
      const { revision, nowMs, rows } = found;
      const all = rows.map(([kind, key, of, document]) => ({ kind, key, revision: of, document }));
      return { revision, nowMs, all };
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
  };
}
