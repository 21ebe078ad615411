import { nearest } from '@redrive/core/fields';
import { listOperations, type OperationStatus, operationStatus } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';
import { CliError } from '../terminal/cli-error.ts';

/** @throws CliError with the exit code 3, and what could be meant. */
export async function findOperation(store: FullStore, id: string): Promise<OperationStatus> {
  const found = await operationStatus(store, id);
  if (found !== undefined) return found;
  const { operations } = await listOperations(store, { limit: 100 });
  const close = nearest(
    id,
    operations.map((each) => each.id),
  );
  const hint =
    close === undefined
      ? '"redrive ops list" lists all bulk operations.'
      : `Did you mean ${close}?`;
  throw new CliError('no_match', `There is no bulk operation ${id}.`, hint);
}
