import { eventsSettings } from '@redrive/config';
import { type Counts, countStates, type SourceReport, sourceReports } from '@redrive/durable/store';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { SOURCE, sourceAnswer } from './source-answer.ts';

export const SOURCES = {
  list: action({
    at: 'GET /v1/sources',
    summary: 'sources of events: as declared, and as the processes that take them report them',
    details: 'A source that no process has reported yet has the state `not_reported`.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({
      sources: z
        .array(
          SOURCE.extend({
            bus: z
              .string()
              .nullable()
              .describe('its bus; null: the configuration has no such source'),
            handler: z.string().nullable().describe('the handler of its events; null: not known'),
            from: z.string().nullable().describe('its queue, or its stream and subject'),
          }),
        )
        .describe('those that are declared, then those that are reported'),
    }),
    run: async ({ store, config }) => {
      const { sources, buses } = eventsSettings(await config());
      const isStored = ({ bus }: { readonly bus: string }) => buses.get(bus) === 'store:';
      const [written, counts] = await Promise.all([
        sourceReports(store),
        sources.some(isStored) ? store.counts() : NO_COUNTS,
      ]);
      const stored = sources
        .filter(isStored)
        .map(({ name }) => [name, storedIn(counts, name)] as const);
      const reports = new Map([...written, ...stored]);
      const declared = new Map(sources.map((one) => [one.name, one]));
      const names = [...new Set([...declared.keys(), ...reports.keys()])];
      return {
        sources: names.map((one) => {
          const { bus = null, handler = null, stream, subject, queue } = declared.get(one) ?? {};
          const from = queue ?? [stream, subject].filter(Boolean).join(' ');
          const report = reports.get(one) ?? NO_REPORT;
          return { ...sourceAnswer([one, report]), bus, handler, from: from || null };
        }),
      };
    },
  }),
};

type Counted = Pick<Counts, 'groups' | 'nowMs'>;
const NO_COUNTS: Counted = { groups: [], nowMs: Number.NaN };

/** A source of the store bus: no process takes its events, they are jobs of its queue at once. */
function storedIn(counts: Counted, name: string): SourceReport {
  const states = countStates(counts, ({ queue }) => queue === name);
  const { scheduled, ready, parked, leased, succeeded, cancelled, dead } = states;
  const waiting = scheduled + ready + parked + leased;
  const stored = waiting + succeeded + cancelled + dead;
  return { ...NO_REPORT, state: 'taking', atMs: counts.nowMs, waiting, stored };
}

const NO_REPORT: SourceReport = {
  ...{ state: 'not_reported', atMs: Number.NaN },
  ...{ handled: 0, stored: 0, duplicates: 0, deadLettered: 0 },
};
