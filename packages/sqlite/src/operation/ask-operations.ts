import type { Clock } from '@redrive/core';
import {
  checkLimit,
  type OperationStore,
  operationPage,
  readPlace,
  stepRefusal,
} from '@redrive/durable/store';
import { encodeAct } from '../command/encode-command.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import type { CommitChanges } from '../writer/writer.ts';
import type { Writes } from '../writer/writer-tasks.ts';
import type { OperationsInput } from './operation-tasks.ts';
import type { EncodedStep } from './operations.ts';

export interface OperationParts {
  readonly reader: Calls<Reads>;
  readonly writer: Calls<Writes>;
  readonly clock: Clock | undefined;
  /** Called with the changes of a step. */
  readonly onCommit: (changes: CommitChanges) => void;
}

/** Some three milliseconds, for which nobody else can write. */
const ACTS_PER_STEP = 50;

/** Bulk operations, step by step. */
export function askOperations(parts: OperationParts): OperationStore {
  const { reader, writer, clock, onCommit } = parts;
  return {
    actsPerStep: ACTS_PER_STEP,

    beginOperation: (begin) => writer.call('beginOperation', { begin, nowMs: clock?.now() }),

    async stepOperation(asked) {
      // Refuses too many acts before they cross.
      stepRefusal(undefined, asked);
      const step: EncodedStep = { ...asked, acts: asked.acts.map(encodeAct) };
      const input = { step, nowMs: clock?.now() };
      const stepped = await writer.call('stepOperation', input);
      onCommit(stepped);
      return stepped.result;
    },

    operation: (id) => reader.call('operation', id),

    async operations({ limit, after }) {
      checkLimit('limit', limit);
      const place = after === undefined ? undefined : readPlace(after);
      const input: OperationsInput = { limit: limit + 1, after: place };
      return operationPage(await reader.call('operations', input), limit);
    },

    async standings(ids) {
      if (ids.length > 0) checkLimit('ids', ids.length);
      return reader.call('standings', ids);
    },
  };
}
