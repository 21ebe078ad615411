import { epochFunction } from '../audit/position.ts';
import { FAST_PATHS, type FastPaths } from '../fast-paths.ts';
import { actFunction } from './act-function.ts';
import { addJobFunction } from './add-job-function.ts';
import { writeBlockFunction } from './audit-sql.ts';
import { controlFunctions } from './control-functions.ts';
import { deadLetterFunctions } from './dead-letter-functions.ts';
import { enqueueDeadFunction, enqueueFunction } from './enqueue-function.ts';
import { enqueueInFunction } from './enqueue-in-function.ts';
import { enqueueUniformFunction } from './enqueue-uniform-function.ts';
import { functionSettings } from './function-settings.ts';
import { heartbeatFunction } from './heartbeat-function.ts';
import { jobProblemsFunction } from './job-problems-function.ts';
import { payloadFunctions } from './large-payloads.ts';
import { ledgerFunctions } from './ledger-functions.ts';
import { limitKeyFunctions } from './limit-key-functions.ts';
import { promoteFunction } from './promote-function.ts';
import { pruneFunction } from './prune-function.ts';
import { regroupFunction } from './regroup-function.ts';
import { requeueFunction } from './requeue-function.ts';
import { settleFunction } from './settle-function.ts';
import { sqlFile } from './sql-file.ts';
import { endStepFunction, stepFunction } from './step-function.ts';
import { firstVersion } from './steps/0001-first-version.ts';
import { noteFunction, tickFunction, tickStepFunction } from './upkeep-functions.ts';

/**
 * One step of the schema. Its text is in `steps/`, is made from no other code, and never changes once it is released: a
 * test pins its hash. docs/decisions/0031-expand-migrate-contract.md has the rules.
 */
export interface Migration {
  readonly version: number;
  readonly what: string;
  /** Tables, columns and types; it gets the schema's quoted name. It runs in a transaction with the steps beside it. */
  readonly sql?: (schema: string) => string;
  /** Indexes over tables that may hold many rows. They are built while everybody works (`concurrently`). */
  readonly indexes?: readonly MigrationIndex[];
  /** Processes below this version no longer work with the schema after this step. Default: as before the step. */
  readonly worksFrom?: number;
}

export interface MigrationIndex {
  readonly name: string;
  readonly unique?: true;
  /** Table, columns and condition: `jobs (worker) where state = 'leased'`. */
  readonly on: string;
}

/** The schema as one version of the code has it. Tests plant another one. */
export interface SchemaCode {
  /** All steps, in order; the last one's number is the version. */
  readonly migrations: readonly Migration[];
  /** All functions, which are replaced whenever there was a step. */
  readonly functions: (schema: string) => string;
}

/** A step without `sql` exists because functions have changed. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, what: 'tables', sql: firstVersion }];

/**
 * All functions, as this version has them, by the file of `sql/` that shows them. A function whose parameters or answer
 * change gets a new name and the old one stays, until `worksFrom` is above every version that calls it: processes of the
 * version before still call it, also in a schema that this version has made. A function that keeps its name does the same
 * for both versions: a kill switch stops the claims of both.
 */
export const FUNCTIONS: Readonly<Record<string, (s: string, fastPaths: FastPaths) => string>> = {
  'dead-letter': deadLetterFunctions,
  epoch: epochFunction,
  ledger: ledgerFunctions,
  'write-block': writeBlockFunction,
  'limit-key': limitKeyFunctions,
  payload: payloadFunctions,
  enqueue: enqueueFunction,
  'enqueue-dead': enqueueDeadFunction,
  'enqueue-in': enqueueInFunction,
  'job-problems': jobProblemsFunction,
  'add-job': addJobFunction,
  'enqueue-uniform': enqueueUniformFunction,
  settle: settleFunction,
  heartbeat: heartbeatFunction,
  promote: promoteFunction,
  'claim-first': sqlFile('claim-first'),
  'open-lanes': sqlFile('open-lanes'),
  tenants: sqlFile('tenants'),
  'claim-candidates': sqlFile('claim-candidates'),
  'claim-limits': sqlFile('claim-limits'),
  'claim-rates': sqlFile('claim-rates'),
  'claim-suspects': sqlFile('claim-suspects'),
  claim: sqlFile('claim'),
  'end-step': endStepFunction,
  step: stepFunction,
  act: actFunction,
  requeue: requeueFunction,
  regroup: regroupFunction,
  tick: tickFunction,
  'tick-step': tickStepFunction,
  prune: pruneFunction,
  note: noteFunction,
  control: controlFunctions,
  settings: functionSettings,
};

export function functions(s: string, fastPaths: FastPaths = FAST_PATHS): string {
  return Object.values(FUNCTIONS)
    .map((sql) => sql(s, fastPaths))
    .join('\n');
}

export const CURRENT_SCHEMA: SchemaCode = {
  migrations: MIGRATIONS,
  functions: (s) => functions(s),
};

export function versionOf({ migrations }: SchemaCode): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The lowest version that works with the schema as this code makes it. */
export function worksFromOf({ migrations }: SchemaCode): number {
  return migrations.reduce((lowest, { worksFrom = lowest }) => Math.max(lowest, worksFrom), 1);
}

export const SCHEMA_VERSION = versionOf(CURRENT_SCHEMA);
