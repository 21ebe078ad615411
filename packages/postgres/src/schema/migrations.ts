import { actFunction } from './act-function.ts';
import { anchorTables, epochFunction, packTable } from './anchor-tables.ts';
import { writeBlockFunction } from './audit-sql.ts';
import { answerType } from './claim-parameters.ts';
import { controlFunctions } from './control-functions.ts';
import { controlTables } from './control-tables.ts';
import { deadLetterFunctions, deadLetterTables } from './dead-letter-tables.ts';
import { enqueueFunction } from './enqueue-function.ts';
import { enqueueInFunction } from './enqueue-in-function.ts';
import { enqueueUsualFunction } from './enqueue-usual-function.ts';
import { heartbeatFunction } from './heartbeat-function.ts';
import { ledgerFunctions, ledgerTable } from './ledger-functions.ts';
import { limitKeyFunctions } from './limit-key-functions.ts';
import { operationTable } from './operation-table.ts';
import { pruneFunction } from './prune-function.ts';
import { promoteFunction, tenantsFunction } from './ready-functions.ts';
import { requeueFunction } from './requeue-function.ts';
import { settleFunction } from './settle-function.ts';
import { stepFunction } from './step-function.ts';
import { tables } from './tables.ts';
import { pauseFunction, tickFunction, tickStepFunction } from './upkeep-functions.ts';
import { workerTable } from './worker-table.ts';

/** One step of the schema. `sql` gets the schema's quoted name. */
export interface Migration {
  readonly version: number;
  readonly what: string;
  readonly sql: (schema: string) => string;
}

/**
 * All steps, in order; the last one's number is the schema's version. A step that was released never changes. They hold
 * tables and types alone: functions are replaced whenever there was a step.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    what: 'jobs, audit blocks, and what is done with them',
    sql: (s) =>
      [
        tables(s),
        anchorTables(s),
        deadLetterTables(s),
        operationTable(s),
        ledgerTable(s),
        answerType(s),
      ].join('\n'),
  },
  { version: 2, what: 'control documents', sql: controlTables },
  { version: 3, what: 'packs of old audit blocks', sql: packTable },
  {
    version: 4,
    what: 'functions alone: keys of onceIn, replaced jobs with a limit key',
    sql: noTables,
  },
  {
    version: 5,
    what: 'functions alone: ttlMs counts from the first attempt, attempts before a hand-over',
    sql: noTables,
  },
  { version: 6, what: 'functions alone: the parked job whose turn it is', sql: noTables },
  {
    version: 7,
    what: 'functions alone: rows that are set aside use up no limit key',
    sql: noTables,
  },
  {
    version: 8,
    what: 'leases of jobs that their worker holds alone',
    // Null: not alone, or not leased.
    sql: (s) => `alter table ${s}.jobs add column if not exists alone boolean;`,
  },
  { version: 9, what: 'workers', sql: workerTable },
];

/** A step that is there because functions have changed. */
function noTables(): string {
  return '';
}

/**
 * All functions, as this version has them. One whose parameters or answer change gets a new name, because processes of
 * the version before still call the old one while the new one is rolled out. Those that keep their name do for them what
 * they do for the new ones: a kill switch stops the claims of both.
 */
export function functions(s: string): string {
  return [
    deadLetterFunctions(s),
    epochFunction(s),
    ledgerFunctions(s),
    writeBlockFunction(s),
    limitKeyFunctions(s),
    enqueueFunction(s),
    enqueueInFunction(s),
    enqueueUsualFunction(s),
    settleFunction(s),
    heartbeatFunction(s),
    promoteFunction(s),
    tenantsFunction(s),
    stepFunction(s),
    actFunction(s),
    requeueFunction(s),
    tickFunction(s),
    tickStepFunction(s),
    pruneFunction(s),
    pauseFunction(s),
    controlFunctions(s),
  ].join('\n');
}

export const SCHEMA_VERSION = MIGRATIONS.reduce(
  (newest, { version }) => Math.max(newest, version),
  0,
);
