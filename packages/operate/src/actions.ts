import { SIGN_INS } from './access/sign-ins.ts';
import { TOKENS } from './access/tokens.ts';
import type { AnyAction, AnyStream } from './action/action.ts';
import { AUDIT } from './audit/audit.ts';
import { BATCHES } from './batch/batches.ts';
import { BREAKERS } from './breaker/breakers.ts';
import { CAUSES } from './cause/causes.ts';
import { CONFIG } from './config/configs.ts';
import { DEAD_LETTERS } from './dead-letter/dead-letters.ts';
import { DOCTOR } from './doctor/doctor.ts';
import { DOCUMENTS } from './document/documents.ts';
import { STUCK } from './document/stuck.ts';
import { SWEEPS } from './document/sweeps.ts';
import { ESCALATIONS } from './escalation/escalations.ts';
import { GATES } from './gate/gates.ts';
import { JOBS } from './job/jobs.ts';
import { KILLS } from './kill/kills.ts';
import { LAB } from './lab/recording.ts';
import { LIMITS } from './limit/limits.ts';
import { METRICS } from './metrics/metrics.ts';
import { OPERATIONS } from './operation/operations.ts';
import { PARKS } from './park/parks.ts';
import { POLICIES } from './policy/policies.ts';
import { QUEUES } from './queue/queues.ts';
import { SCHEDULES } from './schedule/schedules.ts';
import { SESSIONS } from './session/sessions.ts';
import { SOURCES } from './source/sources.ts';
import { STATUS } from './status/status.ts';
import { WORKERS } from './worker/workers.ts';

/** Everything that an operator can look at or do, by name: `gates.release`. The client has the same names. */
export const ACTIONS = {
  audit: AUDIT,
  batches: BATCHES,
  breakers: BREAKERS,
  causes: CAUSES,
  config: CONFIG,
  deadLetters: DEAD_LETTERS,
  doctor: DOCTOR,
  documents: DOCUMENTS,
  escalations: ESCALATIONS,
  gates: GATES,
  jobs: JOBS,
  kill: KILLS,
  lab: LAB,
  limits: LIMITS,
  metrics: METRICS,
  operations: OPERATIONS,
  park: PARKS,
  policies: POLICIES,
  queues: QUEUES,
  schedules: SCHEDULES,
  sessions: SESSIONS,
  signIns: SIGN_INS,
  sources: SOURCES,
  status: STATUS,
  stuck: STUCK,
  sweeps: SWEEPS,
  tokens: TOKENS,
  workers: WORKERS,
} as const satisfies ActionList;

/** Actions by group and verb. */
export type ActionList = Readonly<Record<string, Group>>;
type Group = Readonly<Record<string, AnyAction | AnyStream>>;

/** Every action with its name. */
export function allActions(
  list: ActionList = ACTIONS,
): readonly (readonly [name: string, action: AnyAction | AnyStream])[] {
  return Object.entries(list).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => [`${group}.${verb}`, each] as const),
  );
}
