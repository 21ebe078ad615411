import { isRedriveError } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import { gateName } from '../control/parked-cause.ts';
import { DEAD_LETTER_HANDLER } from '../dead-letter/publish-dead-letters.ts';
import { progressText } from '../job/progress.ts';
import { SUSPECT_LOSSES } from '../job/suspects.ts';
import type { Notice } from '../worker/notice.ts';
import { durationText } from './duration-text.ts';
import type { WorkerLogger } from './worker-log.ts';

/**
 * Logs a notice of a worker about itself or its store, as `redrive start` does. For an application with `onNotice` and its
 * own logger.
 */
export function logNotice(log: WorkerLogger, notice: Notice): void {
  switch (notice.kind) {
    case 'started': {
      const { worker, handlers, queues } = notice;
      const only = queues === undefined ? '' : `, only in the queues ${queues.join(', ')}`;
      const text = `Works on ${handlers.join(', ')}${only}`;
      log.info({ event: 'worker.started', worker, handlers, ...(queues && { queues }) }, text);
      break;
    }
    case 'stopping': {
      const { mode, running } = notice;
      log.info({ event: 'worker.stopping', mode, running }, `Stopping: ${stopText(mode, running)}`);
      break;
    }
    case 'stopped': {
      const { abandoned } = notice;
      const jobs = `${abandoned} ${abandoned === 1 ? 'job' : 'jobs'}`;
      const text = abandoned === 0 ? 'Stopped' : `Stopped; ${jobs} did not finish in time`;
      log[abandoned === 0 ? 'info' : 'warn']({ event: 'worker.stopped', abandoned }, text);
      break;
    }
    case 'lease_lost': {
      const { jobId: job, handler } = notice;
      log.warn(
        { event: 'lease.lost', job, handler },
        'Lease lost: another worker may run the job now',
      );
      break;
    }
    case 'attempt_stalled': {
      const { jobId: job, handler, forMs, progress } = notice;
      const at = progress === undefined ? '' : `, at ${progressText(progress)}`;
      const text = `The attempt has made no progress for ${durationText(forMs)}${at}`;
      const { fraction, note } = progress ?? {};
      log.warn({ event: 'attempt.stalled', job, handler, for_ms: forMs, fraction, note }, text);
      break;
    }
    case 'attempt_error': {
      const { jobId: job, handler, error } = notice;
      const { message } = sanitiseError(error);
      const text = `A guard or the answer of an attempt is broken: ${message}`;
      log.error({ event: 'attempt.error', job, handler, error: message }, text);
      break;
    }
    case 'stale_settlement': {
      const { jobId: job, refusal } = notice;
      log.warn(
        { event: 'settlement.refused', job, refusal },
        `A late result was refused: ${refusal}`,
      );
      break;
    }
    case 'rescued': {
      const { jobId: job, handler, worker, losses, alone } = notice;
      const text = `Taken over from ${worker}, which sent no more heartbeats. ${lossText(losses, alone)}`;
      log.warn({ event: 'lease.rescued', job, handler, worker, losses, alone }, text);
      break;
    }
    case 'store_unavailable': {
      const { error, retryInMs } = notice;
      const { message } = sanitiseError(error);
      const what = isRedriveError(error, 'store_forbidden') ? 'denies access' : 'does not answer';
      const text = `The store ${what}, next try in ${durationText(retryInMs)}: ${message}`;
      log.error({ event: 'store.unavailable', retry_in_ms: retryInMs, error: message }, text);
      break;
    }
    case 'store_back': {
      const { afterMs } = notice;
      const text = `The store is back after ${durationText(afterMs)}`;
      log.info({ event: 'store.back', after_ms: afterMs }, text);
      break;
    }
    case 'store_error': {
      const { message } = sanitiseError(notice.error);
      const text = `Maintenance of the store failed; jobs continue to run: ${message}`;
      log.error({ event: 'store.error', error: message }, text);
      break;
    }
    case 'job_set_aside': {
      const { jobId: job, problem } = notice;
      const text = `The row of job ${job} cannot be read and is set aside (${problem}): run "redrive doctor"`;
      log.error({ event: 'job.set_aside', job, problem }, text);
      break;
    }
    case 'unknown_policy': {
      const { policy, handler } = notice;
      const text = `A job names the policy ${policy}, which does not exist: the handler's policy is used`;
      log.warn({ event: 'policy.unknown', policy, handler }, text);
      break;
    }
    case 'invalid_policy': {
      const { policy } = notice;
      const { message } = sanitiseError(notice.error);
      const text = `The policy ${policy} is invalid, and the last good one stays in force: ${message}`;
      log.error({ event: 'policy.invalid', policy, error: message }, text);
      break;
    }
    case 'expired': {
      for (const { handler, queue, count } of notice.jobs) {
        const jobs =
          count === 1 ? '1 job is a dead letter: its' : `${count} jobs are dead letters: their`;
        const text = `${jobs} deadline passed before an attempt started`;
        log.error({ event: 'job.expired', handler, queue, count }, text);
      }
      break;
    }
    case 'archived': {
      const { letters } = notice;
      log.info({ event: 'retention', archived: letters }, `Archived ${letters} dead letters`);
      break;
    }
    case 'archive_failed': {
      const { error, letters } = notice;
      const { message } = sanitiseError(error);
      const text = `The archive failed for ${letters} dead letters; they are kept and tried again: ${message}`;
      log.error({ event: 'retention.archive_failed', letters, error: message }, text);
      break;
    }
    case 'control_seen':
    case 'control_gone': {
      const { kind, control, by, why } = notice;
      const isSeen = kind === 'control_seen';
      const event = `${control}.${isSeen ? 'seen' : 'gone'}`;
      const name = control === 'gate' ? gateName(notice.name) : notice.name;
      const fields = { event, name, by, why, opens_in_ms: notice.opensInMs };
      log.warn(fields, controlText({ ...notice, name }, isSeen));
      break;
    }
    case 'controls_unconfirmed': {
      const { forMs, error } = notice;
      const message = error === undefined ? undefined : sanitiseError(error).message;
      const why = message === undefined ? '' : `: ${message}`;
      const text = `No job starts: kill switches and pauses could not be read for ${durationText(forMs)}${why}`;
      log.error({ event: 'controls.unconfirmed', for_ms: forMs, error: message }, text);
      break;
    }
    case 'controls_confirmed': {
      const { afterMs } = notice;
      const text = `Kill switches and pauses can be read again after ${durationText(afterMs)}`;
      log.info({ event: 'controls.confirmed', after_ms: afterMs }, text);
      break;
    }
    case 'ticks_missed': {
      const { schedule, missed } = notice;
      const text = `The schedule ${schedule} missed ${missed} ${missed === 1 ? 'tick' : 'ticks'}: no worker ran, or the schedule was stopped`;
      log.warn({ event: 'schedule.missed', schedule, missed }, text);
      break;
    }
    case 'tick_skipped': {
      const { schedule, tickMs, jobId: job } = notice;
      const tick = new Date(tickMs).toISOString();
      const text = `The schedule ${schedule} skipped a tick: job ${job} of an earlier tick is unfinished`;
      log.warn({ event: 'schedule.skipped', schedule, tick, job }, text);
      break;
    }
    case 'document_failed': {
      const { collection, document, lastAttemptTime, attemptCount, error } = notice;
      const why = error === undefined ? '' : `: ${error}`;
      const text = `Document ${document} of ${collection} failed after ${attemptCount} attempts${why}`;
      const about = { last_attempt_time: lastAttemptTime, attempt_count: attemptCount, error };
      log.error({ event: 'document.failed', collection, document, ...about }, text);
      break;
    }
    case 'document_invalid': {
      const { collection, document, problem } = notice;
      const text = `Document ${document} of ${collection} is skipped. ${problem}`;
      log.warn({ event: 'document.invalid', collection, document, problem }, text);
      break;
    }
    case 'sweep_stopped': {
      const { collection, why } = notice;
      log.warn({ event: 'sweep.stopped', collection, why }, `No sweep of ${collection}: ${why}`);
      break;
    }
    case 'sweep_failed': {
      const { collection } = notice;
      const { message } = sanitiseError(notice.error);
      const text = `The sweep of ${collection} failed; the next one goes on: ${message}`;
      log.error({ event: 'sweep.failed', collection, error: message }, text);
      break;
    }
    case 'audit_compressed': {
      const { blocks, bytesBefore, bytesAfter } = notice;
      const text = `Compressed ${blocks} old blocks of the audit log from ${bytesBefore} to ${bytesAfter} bytes`;
      const bytes = { bytes_before: bytesBefore, bytes_after: bytesAfter };
      log.info({ event: 'audit.compressed', blocks, ...bytes }, text);
      break;
    }
    case 'report_failed': {
      const { message } = sanitiseError(notice.error);
      const text = `The report of this worker failed, so "redrive workers list" may not show it; it continues to work: ${message}`;
      log.warn({ event: 'worker.report_failed', error: message }, text);
      break;
    }
    case 'dead_letters_unpublished': {
      const { source, publishTo } = notice;
      const text = `Dead letters of the source ${source} are not published to ${publishTo}: these jobs lack the handler ${DEAD_LETTER_HANDLER}. Only messages above 1 MiB are moved there`;
      log.warn({ event: 'events.dead_letters_unpublished', source, publish_to: publishTo }, text);
      break;
    }
    case 'seal_failed': {
      const { error } = notice;
      const { message } = sanitiseError(error);
      log.error(
        { event: 'audit.seal_failed', error: message },
        `The audit log is not sealed: ${message}`,
      );
      break;
    }
    case 'result_altered': {
      const { jobId, handler, losses } = notice;
      const fields = { event: 'job.result_altered', job: jobId, handler, losses };
      const text = `Job ${jobId} of ${handler} succeeded, but JSON cannot hold its result as it is: ${losses.join('; ')}`;
      log.warn(fields, text);
      break;
    }
    case 'letters_removed': {
      const { removed } = notice;
      const parts = Object.entries(removed).map(([act, count]) => `${count} by ${act}`);
      const fields = { event: 'dead_letters.removed', ...removed };
      log.info(fields, `Dead letters were removed: ${parts.join(', ')}`);
      break;
    }
    case 'pruned': {
      const { deleted } = notice;
      log.info({ event: 'retention', deleted }, `Retention deleted ${deleted} finished jobs`);
      break;
    }
  }
}

/** `losses`: with this one. */
function lossText(losses: number, alone: boolean): string {
  const many = losses === 1 ? '1 lease lost' : `${losses} leases lost in a row`;
  if (alone)
    return `The worker held only this job, so the job may have ended it: one attempt charged (${many})`;
  const next = losses < SUSPECT_LOSSES ? '' : '. From now on a worker runs it beside fewer jobs';
  return `The worker held other jobs too, so no attempt is charged (${many})${next}`;
}

type ControlNotice = Extract<Notice, { kind: 'control_seen' | 'control_gone' }>;

/** `Kill switch seen: queue mail, by cli:eve@host: INC-7` */
function controlText(notice: ControlNotice, isSeen: boolean): string {
  const { control, name, by, why, opensInMs } = notice;
  const [what, seen, gone] = CONTROL_WORDS[control];
  const opens = opensInMs === undefined ? '' : `, opens in ${durationText(opensInMs)}`;
  const who = by === undefined ? opens : `, by ${by}`;
  const because = why === undefined ? '' : `: ${why}`;
  return `${what} ${isSeen ? seen : gone}: ${name}${isSeen ? who + because : ''}`;
}

const CONTROL_WORDS: Readonly<Record<ControlNotice['control'], readonly [string, string, string]>> =
  {
    kill: ['Kill switch', 'seen', 'released'],
    pause: ['Pause', 'seen', 'over'],
    gate: ['Gate', 'closed', 'open'],
  };

function stopText(mode: 'finish' | 'release', running: number): string {
  if (running === 0) return 'no job runs';
  const one = running === 1;
  const what = mode === 'finish' ? 'may finish' : `${one ? 'is' : 'are'} released`;
  return `${running} ${one ? 'job runs' : 'jobs run'} and ${what}`;
}
