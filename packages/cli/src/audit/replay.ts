import { type Replay, replaySession } from '@redrive/durable/audit';
import type { RecordedAnswer, ReplayedDecision } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withReader } from '../store/with-audit.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { recordDocument } from './record-lines.ts';
import { replayLines } from './replay-lines.ts';

/** `redrive audit replay` */
export const runAuditReplay: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const replay = await withStore(invocation, async (store) => {
    // A job that goes on with a call's session has another id than that.
    const session = (await store.job(id))?.sessionId ?? id;
    return withReader(store, (reader) => replaySession(reader, session));
  });
  // Who has just looked is a record about it, too.
  if (replay.steps.every(({ record }) => record[2] === 'read')) {
    const hint =
      'Give it the id of a job or a session: "redrive audit list" shows those of the newest.';
    throw new CliError('no_match', `The audit log knows no session ${id}.`, hint);
  }
  if (options.json) printJson(io, replayDocument(replay));
  else printLines(io, replayLines(io.screen, replay));
  return replay.same ? EXIT.ok : EXIT.failed;
};

/** A replay as JSON prints it. */
function replayDocument({ session, same, omitted, steps }: Replay) {
  return {
    session,
    same,
    omitted,
    steps: steps.map(({ record, block, decision }) => ({
      ...recordDocument(record, block),
      decision: decision ? decisionDocument(decision) : null,
    })),
  };
}

function decisionDocument(decision: ReplayedDecision): object {
  const { policy, policyId, policyFields, version, input, answer, derived, same, wait } = decision;
  return {
    policy_hash: policy,
    policy_id: policyId ?? null,
    policy: policyFields ?? null,
    decide_version: version,
    input,
    recorded: answerDocument(answer),
    derived: derived ? answerDocument(derived) : null,
    same,
    wait: wait ?? null,
  };
}

function answerDocument({ action, reason, delayMs, entry }: RecordedAnswer) {
  return { action, reason, delay_ms: delayMs ?? null, entry };
}
