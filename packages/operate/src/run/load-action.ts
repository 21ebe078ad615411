import type { AnyAction, AnyStream } from '../action/action.ts';
import type { ACTIONS } from '../actions.ts';

type Group = Readonly<Record<string, AnyAction | AnyStream>>;

/** The groups of `ACTIONS`, each loaded when it is needed: a command runs one action, and making schemas takes time. */
const LOAD: Readonly<Record<keyof typeof ACTIONS, () => Promise<Group>>> = {
  audit: async () => (await import('../audit/audit.ts')).AUDIT,
  batches: async () => (await import('../batch/batches.ts')).BATCHES,
  breakers: async () => (await import('../breaker/breakers.ts')).BREAKERS,
  causes: async () => (await import('../cause/causes.ts')).CAUSES,
  config: async () => (await import('../config/configs.ts')).CONFIG,
  deadLetters: async () => (await import('../dead-letter/dead-letters.ts')).DEAD_LETTERS,
  doctor: async () => (await import('../doctor/doctor.ts')).DOCTOR,
  documents: async () => (await import('../document/documents.ts')).DOCUMENTS,
  escalations: async () => (await import('../escalation/escalations.ts')).ESCALATIONS,
  gates: async () => (await import('../gate/gates.ts')).GATES,
  jobs: async () => (await import('../job/jobs.ts')).JOBS,
  kill: async () => (await import('../kill/kills.ts')).KILLS,
  lab: async () => (await import('../lab/recording.ts')).LAB,
  metrics: async () => (await import('../metrics/metrics.ts')).METRICS,
  operations: async () => (await import('../operation/operations.ts')).OPERATIONS,
  limits: async () => (await import('../limit/limits.ts')).LIMITS,
  park: async () => (await import('../park/parks.ts')).PARKS,
  policies: async () => (await import('../policy/policies.ts')).POLICIES,
  queues: async () => (await import('../queue/queues.ts')).QUEUES,
  schedules: async () => (await import('../schedule/schedules.ts')).SCHEDULES,
  sessions: async () => (await import('../session/sessions.ts')).SESSIONS,
  signIns: async () => (await import('../access/sign-ins.ts')).SIGN_INS,
  sources: async () => (await import('../source/sources.ts')).SOURCES,
  status: async () => (await import('../status/status.ts')).STATUS,
  stuck: async () => (await import('../document/stuck.ts')).STUCK,
  sweeps: async () => (await import('../document/sweeps.ts')).SWEEPS,
  tokens: async () => (await import('../access/tokens.ts')).TOKENS,
  workers: async () => (await import('../worker/workers.ts')).WORKERS,
};

/** @throws Error for a name that is not in the list. */
export async function loadAction(name: string): Promise<AnyAction | AnyStream> {
  const [group = '', verb = ''] = name.split('.');
  const load = (LOAD as Readonly<Record<string, () => Promise<Group>>>)[group];
  const found = (await load?.())?.[verb];
  if (found === undefined) throw new Error(`There is no action ${name}`);
  return found;
}
