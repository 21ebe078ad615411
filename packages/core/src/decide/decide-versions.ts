import { DECIDE_VERSION, decide } from './decide.ts';
import { decideV1 } from './decide-v1.ts';
import type { Decision, DecisionInput } from './decision.ts';

/** Every version of `decide` that a record may name. */
export const decideVersions: Readonly<Record<number, (input: DecisionInput) => Decision>> = {
  1: decideV1,
  [DECIDE_VERSION]: decide,
};
