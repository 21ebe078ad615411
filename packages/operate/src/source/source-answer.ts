import { isoTime, type SourceReport } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const SOURCE = z.object({
  name: z.string().describe('its name'),
  state: z
    .string()
    .describe(
      '`taking`, or why it takes nothing: `stopped`, `full`, `store_away`, `bus_away`, `failing`, `blocked`; `gone`: no process takes it',
    ),
  waiting: z
    .number()
    .nullable()
    .describe(
      'messages that wait in the broker; on the bus `store:`, events that are not finished; null: the broker does not say',
    ),
  handled: z
    .number()
    .describe('events of a direct source that succeeded without being stored, over restarts'),
  stored: z
    .number()
    .describe(
      'events that were stored as jobs, over restarts; on the bus `store:`, those that are kept',
    ),
  duplicates: z.number().describe('messages that were stored before'),
  dead_lettered: z.number().describe('messages that became dead letters without running'),
  last_report: time().nullable().describe('when it was reported last; null: not known'),
  last_error: z
    .string()
    .nullable()
    .describe('the newest problem with the broker or the store, for a day after it is over'),
  last_error_at: time()
    .nullable()
    .describe('when it was reported last; before last_report: it is over'),
});

export function sourceAnswer([name, report]: readonly [string, SourceReport]): z.output<
  typeof SOURCE
> {
  return {
    name,
    state: report.state,
    waiting: report.waiting ?? null,
    handled: report.handled,
    stored: report.stored,
    duplicates: report.duplicates,
    dead_lettered: report.deadLettered,
    last_report: isoTime(report.atMs),
    last_error: report.lastError ?? null,
    last_error_at: isoTime(report.lastErrorAtMs),
  };
}
