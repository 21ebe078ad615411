import { virtualClock } from '@redrive/testkit';
import {
  documentSourceConformance,
  testCollection,
} from '@redrive/testkit/conformance/document-source';
import { describe, it } from 'vitest';
import { memoryDocuments } from './documents.ts';

describe('documents in memory', () => {
  documentSourceConformance(
    async () => {
      const clock = virtualClock({ startMs: Date.parse('2026-11-16T12:00:00Z') });
      const source = memoryDocuments({ clock });
      const collection = testCollection('archives');
      const { fields } = collection;
      return {
        source,
        collection,
        async put({ id, status, count, timeMs, mark, ...values }) {
          const time = typeof timeMs === 'number' ? new Date(timeMs) : timeMs;
          source.put(collection, {
            [fields.id]: id,
            ...(status !== undefined && { [fields.status]: status }),
            ...(count !== undefined && { [fields.count]: count }),
            ...(time !== undefined && { [fields.time]: time }),
            ...(mark && { [fields.mark]: mark }),
            ...values,
          });
        },
      };
    },
    { describe, it },
  );
});
