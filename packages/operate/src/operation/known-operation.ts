import { nearest } from '@redrive/core/fields';
import { listOperations, type OperationStatus, operationStatus } from '@redrive/durable/control';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';

/**
 * A token of one tenant sees the operations of its tenant's tokens, and those over its tenant's filter.
 *
 * @throws Refusal `not_found`, with a suggestion.
 */
export async function knownOperation(
  { store, who }: Pick<Context, 'store'> & { readonly who?: Context['who'] },
  id: string,
): Promise<OperationStatus> {
  const tenant = who?.tenant;
  const status = await operationStatus(store, id);
  if (status !== undefined && isOwn(status, tenant)) return status;
  const { operations } = await listOperations(store, { limit: 100 });
  const own = operations.filter((each) => isOwn(each, tenant));
  const close = nearest(
    id,
    own.map((each) => each.id),
  );
  const hint =
    close === undefined
      ? '"redrive ops list" lists all bulk operations.'
      : `Did you mean ${close}?`;
  throw new Refusal('not_found', `There is no bulk operation ${id}.`, hint);
}

function isOwn({ request }: OperationStatus, tenant: string | undefined): boolean {
  const {
    filter,
    jobs,
    tenant: owner,
  } = request as {
    readonly tenant?: unknown;
    readonly filter?: { readonly tenant?: unknown };
    readonly jobs?: { readonly tenant?: unknown };
  };
  return tenant === undefined || (owner ?? (filter ?? jobs)?.tenant) === tenant;
}
