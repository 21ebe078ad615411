import {
  actorDetail,
  type Command,
  type ControlCommand,
  type ControlResult,
  checkControl,
  checkLimit,
  type ReleaseCommand,
  type Result,
} from '@redrive/durable/store';
import type { Row, Session } from '../connect/connection.ts';
import { IN_TURN } from '../schema/control-functions.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { StepFrame } from './call-step.ts';

export type ControlStepCommand = ControlCommand | ReleaseCommand;

/** The results of changes of control documents and releases, and their records for the block that the caller writes. */
export interface ControlStepDone {
  readonly results: readonly Result[];
  readonly records: readonly string[];
}

/** Carries them out in their order, in one statement. */
export async function runControlStep(
  session: Session,
  schema: string,
  { nowMs, seq, writer }: StepFrame,
  commands: readonly ControlStepCommand[],
): Promise<ControlStepDone> {
  for (const command of commands) check(command);
  const calls = commands.map(callOf);
  const rows = await session.query({
    name: 'redrive control_step',
    text: `select refusal, revision, released, more, records
      from "${schema}".control_step($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      nowMs,
      seq,
      writer,
      textArray(calls.map(({ of }) => of)),
      textArray(calls.map(({ key }) => key)),
      plainArray(calls.map(({ expect }) => expect)),
      textArray(calls.map(({ document }) => document)),
      textArray(calls.map(({ note }) => note)),
      plainArray(calls.map(({ limit }) => limit)),
    ],
  });
  return {
    results: rows.map(readResult),
    records: rows.map((row) => row[4] ?? '').filter((records) => records !== ''),
  };
}

/** Whether it is one of these. */
export function isControl(command: Command): command is ControlStepCommand {
  return command.kind === 'control' || command.kind === 'release';
}

function check(command: ControlStepCommand): void {
  if (command.kind === 'control') checkControl(command);
  else checkLimit('limit', command.limit);
}

type Call = Partial<
  Omit<ControlCommand, 'kind' | 'of'> & {
    readonly of: ControlCommand['of'] | typeof IN_TURN | undefined;
    readonly limit: number;
  }
>;

/** The parameters of the function. A row without a kind of document is a release. */
function callOf(command: ControlStepCommand): Call {
  if (command.kind === 'control') return command;
  const { cause, limit, inTurn, actor } = command;
  return { of: inTurn ? IN_TURN : undefined, key: cause, limit, note: actorDetail(actor) };
}

function readResult([refusal, revision, released, more]: Row): Result {
  if (typeof refusal === 'string') {
    // The function returns no other values.
    return { ok: false, refusal: refusal as Extract<ControlResult, { ok: false }>['refusal'] };
  }
  if (typeof revision === 'string') return { ok: true, revision: Number(revision) };
  return { ok: true, released: Number(released), more: more === 't' };
}
