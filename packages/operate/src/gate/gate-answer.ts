import { causes, gateKey } from '@redrive/durable/control/rules';
import { type AttendedOverview, iso } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { parkedUnder } from '../park/parked-under.ts';

export const GATE = z.object({
  dependency: z.string().describe('the dependency that is rate-limited'),
  credential: z.string().nullable().describe('the credential that is rate-limited; null: all'),
  tenant: z.string().nullable().describe('the tenant that is rate-limited; null: all'),
  until: time().describe('when it opens by itself'),
  since: time().describe('when it was closed'),
  cut: z
    .boolean()
    .describe('true: the Retry-After was longer than the hour that a gate may be closed'),
  parked: z.number().describe('jobs that wait for it, counted up to 10,000'),
  bounded: z.boolean().describe('true: more jobs wait for it'),
});
export type GateAnswer = z.output<typeof GATE>;

export function gateAnswers({
  gates,
  parked,
}: Pick<AttendedOverview, 'gates' | 'parked'>): GateAnswer[] {
  return gates.map((gate) => ({
    dependency: gate.dependency,
    credential: gate.credential || null,
    tenant: gate.tenant || null,
    until: iso(gate.untilMs),
    since: iso(gate.sinceMs),
    cut: gate.cut,
    ...parkedUnder(causes.gate(gateKey(gate)), parked),
  }));
}
