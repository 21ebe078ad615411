import type { Clock } from '@redrive/core';
import { type ControlStore, MAX_PARK_COUNT } from '@redrive/durable/store';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import type { Writes } from '../writer/writer-tasks.ts';

export interface ControlParts {
  readonly reader: Calls<Reads>;
  readonly writer: Calls<Writes>;
  readonly clock: Clock | undefined;
}

/** The queries about controls. */
export function askControls({ reader, writer, clock }: ControlParts): ControlStore {
  return {
    async controls() {
      const found = await reader.call('controls', { nowMs: clock?.now() });
      const { revision, nowMs, rows } = found;
      const all = rows.map(([kind, key, of, document]) => ({ kind, key, revision: of, document }));
      return { revision, nowMs, all };
    },

    // Asked on the writing thread, like a heartbeat: on the reading thread it could wait for a long query.
    controlRevision: () => writer.call('controlRevision'),

    async parks() {
      return (await reader.call('parks')).map(([cause, found]) => {
        return {
          cause,
          count: Math.min(found, MAX_PARK_COUNT),
          bounded: found > MAX_PARK_COUNT,
        };
      });
    },

    async rates() {
      return (await reader.call('rates')).map(([name, value, sinceMs, found]) => ({
        name,
        value,
        sinceMs,
        count: Math.min(found, MAX_PARK_COUNT),
        bounded: found > MAX_PARK_COUNT,
      }));
    },
  };
}
