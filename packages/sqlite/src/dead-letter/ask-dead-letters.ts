import {
  checkAtMost,
  checkDeadFilter,
  checkGroupPage,
  checkLimit,
  type DeadLetterStore,
  deadPage,
  type PagePlace,
  placeText,
  readPlace,
  summaryOf,
} from '@redrive/durable/store';
import { jobOf, payloadOf, readablePart } from '../job/job-row.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';

/** The queries about dead letters, on the thread that reads. */
export function askDeadLetters(reader: Calls<Reads>): DeadLetterStore {
  return {
    async deadLetters(filter, page) {
      checkDeadFilter(filter);
      const { limit, after, first = 'newest' } = deadPage(page);
      const request = { filter, limit, first, after: placeOf(after) };
      const { rows, next } = await reader.call('deadLetters', request);
      return {
        jobs: rows.map((row) => summaryOf(jobOf(readablePart(row)))),
        next: next && placeText(next),
      };
    },

    async countDead(filter, atMost) {
      checkDeadFilter(filter);
      checkAtMost(atMost);
      return reader.call('countDead', { filter, atMost });
    },

    async deadGroups(filter, { limit, after }) {
      checkDeadFilter(filter);
      checkGroupPage(limit);
      const request = { filter, limit, after: placeOf(after) };
      const { groups, more } = await reader.call('deadGroups', request);
      const last = more ? groups.at(-1) : undefined;
      return { groups, next: last && placeText({ atMs: last.lastDiedAtMs, id: last.fingerprint }) };
    },

    async actSubjects(ids) {
      if (ids.length === 0) return [];
      checkLimit('ids', ids.length);
      return reader.call('actSubjects', ids);
    },

    async earlierPayloads(id) {
      const rows = await reader.call('earlierPayloads', id);
      return rows.map(([generation, replacedAtMs, by, payload]) => {
        return { generation, payload: payloadOf(payload), replacedAtMs, by };
      });
    },
  };
}

function placeOf(after: string | undefined): PagePlace | undefined {
  return after === undefined ? undefined : readPlace(after);
}
