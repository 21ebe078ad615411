import { nearest } from '@redrive/core/fields';
import { releaseGate } from '@redrive/durable/control';
import { readOverview } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { nameText, text } from '../action/scalars.ts';
import { GATE, type GateAnswer, gateAnswers } from './gate-answer.ts';

export const GATES = {
  list: action({
    at: 'GET /v1/gates',
    summary: 'list the closed gates, and when they open',
    details:
      'When one attempt gets a Retry-After, the gate closes for all jobs with the same dependency, credential and tenant, in every process, for an hour at most.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({ gates: z.array(GATE).describe('by name; empty: none is closed') }),
    run: async ({ store, asOf }) => {
      const overview = await readOverview(store);
      asOf(overview.nowMs);
      return { gates: gateAnswers(overview) };
    },
  }),

  release: act({
    at: 'POST /v1/gates/release',
    summary: 'open the gates of a dependency now',
    details:
      'The parked jobs are released at a growing pace. The next Retry-After closes the gate again.',
    role: 'operator',
    input: z.strictObject({
      dependency: nameText().describe('the dependency of the gates'),
      credential: text().optional().describe('only the gate of this credential'),
      tenant: text().optional().describe('only of this tenant'),
    }),
    answer: z.object({
      released: z.array(GATE).describe('the gates that were opened, or would be'),
      has_worker: z
        .boolean()
        .describe(
          'false: no live worker has the handlers of the parked jobs, so they wait for one',
        ),
    }),
    refusals: { no_match: 'no gate of that name is closed' },
    run: async ({ store, actor, asOf }, { dry_run, ...wish }) => {
      const overview = await readOverview(store);
      asOf(overview.nowMs);
      const meant = gatesMeant(gateAnswers(overview), wish);
      for (const { dependency, credential, tenant } of dry_run ? [] : meant) {
        // It may have opened by itself in the meantime.
        const whose = { dependency, credential: credential ?? '', tenant: tenant ?? '' };
        await releaseGate(store, { ...whose, actor });
      }
      return { released: meant, has_worker: overview.hasWorker };
    },
  }),
};

interface Wish {
  readonly dependency: string;
  readonly credential?: string | undefined;
  readonly tenant?: string | undefined;
}

/** @throws Refusal `not_found`, with the gates that are closed. */
function gatesMeant(
  all: readonly GateAnswer[],
  { dependency, credential, tenant }: Wish,
): GateAnswer[] {
  const meant = all.filter(
    (gate) =>
      gate.dependency === dependency &&
      (credential === undefined || (gate.credential ?? '') === credential) &&
      (tenant === undefined || (gate.tenant ?? '') === tenant),
  );
  if (meant.length > 0) return meant;
  const names = [...new Set(all.map((gate) => gate.dependency))];
  const close = nearest(dependency, names);
  const hint =
    names.length === 0
      ? 'No gate is closed.'
      : names.includes(dependency)
        ? 'It has closed gates for other credentials or tenants: see "redrive gates list".'
        : close === undefined
          ? `Closed gates: ${names.slice(0, 20).join(', ')}.`
          : `Did you mean ${close}?`;
  throw new Refusal('not_found', `No such gate of ${dependency} is closed.`, hint);
}
