import { replaySession } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { replayDocument } from './replay-document.ts';
import { replayLines } from './replay-lines.ts';

/** `redrive audit replay` */
export const runAuditReplay: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const [id = ''] = args;
  const replay = await withStore(invocation, async (store) => {
    // A job that goes on with a call's session has another id than that.
    const session = (await store.job(id))?.sessionId ?? id;
    const reader = await store.readAudit();
    try {
      return await replaySession(reader, session);
    } finally {
      await reader.close();
    }
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
