import type { FullStore, Job } from '@redrive/durable';
import type { ShownValues } from '@redrive/durable/store';
import { Refusal } from './refusal.ts';
import { atLeast, type Who } from './who.ts';

/**
 * The tenant of a filter. The caller's own is part of every filter; another one is refused, because the answer would be
 * about other jobs than the request names.
 *
 * @throws Refusal `not_allowed`
 */
export function ownTenant(given: string | undefined, { tenant }: Who): string | undefined {
  if (tenant !== undefined && given !== undefined && given !== tenant) {
    throw new Refusal('not_allowed', `This token is for the tenant ${tenant} only.`);
  }
  return tenant ?? given;
}

/** The job, or none: the answer is the same for a job of another tenant and for one that does not exist. */
export async function ownJob(
  store: Pick<FullStore, 'job'>,
  id: string,
  { tenant }: Who,
): Promise<Job | undefined> {
  const job = await store.job(id);
  return job !== undefined && tenant !== undefined && job.tenant !== tenant ? undefined : job;
}

/**
 * Checks each id of a list. The answer is the same for a job of another tenant and for one that does not exist: no tenant
 * learns which ids others have. A caller of all tenants may name anything.
 *
 * @throws Refusal `not_found`. Nothing was changed then.
 */
export async function checkOwn(
  store: Pick<FullStore, 'job'>,
  ids: readonly string[],
  { tenant }: Who,
): Promise<void> {
  if (tenant === undefined) return;
  for (const id of ids) {
    if ((await store.job(id))?.tenant === tenant) continue;
    throw new Refusal('not_found', 'A job of the list does not exist. Nothing was changed.');
  }
}

/** @throws Refusal `not_allowed` for a payload in full, which is for admins. */
export function valuesFor(who: Who, wanted: ShownValues): ShownValues {
  if (wanted === 'full' && !atLeast(who, 'admin')) {
    throw new Refusal('not_allowed', 'Payloads in full are for the role admin.');
  }
  return wanted;
}
