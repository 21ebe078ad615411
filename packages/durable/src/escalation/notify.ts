import { type Clock, definePolicy, systemClock } from '@redrive/core';
import { httpErrors } from '@redrive/core/classify/http';
import { commandHandler } from '../command/command-handler.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import type { JobContext } from '../handler/job-context.ts';
import { final, isVerdict, type Verdict } from '../handler/verdict.ts';
import type { AllowedTargets, SafeRequest } from '../http/safe-request.ts';
import type { EscalationTier } from './tiers.ts';

/** The body of a webhook, and the input of a command. It has no payloads. */
export interface Notification {
  readonly schema_version: '1.0.0';
  /** Key of the escalation: name of a collection, or fingerprint of a cause. */
  readonly escalation: string;
  readonly kind: 'collection' | 'cause';
  readonly title: string;
  readonly tier: number;
  readonly tier_name: string;
  readonly owner: string;
  readonly stuck: number;
  readonly failed: number;
  readonly bounded: boolean;
  readonly stuck_since: string | null;
  readonly raised_at: string;
  readonly respond_by: string | null;
  readonly resolve_by: string | null;
  /** The next nine escalations that rose in the same look, if there were too many for a notification each. */
  readonly others?: readonly Pick<
    Notification,
    'escalation' | 'kind' | 'title' | 'tier' | 'stuck' | 'failed' | 'bounded'
  >[];
  /** With `others`: further ones. */
  readonly more?: number;
}

/** Where notifications go: a webhook, or a program that gets the notification on its standard input. */
export type EscalationChannel = { readonly timeoutMs: number } & (
  | {
      readonly url: string;
      /** Value of the header `authorization`. Default: none. */
      readonly authorization?: string | undefined;
      /** Why nothing can be sent now, such as a variable that is not set. Attempts fail with it. Default: none. */
      readonly problem?: string | undefined;
    }
  | { readonly command: readonly string[]; readonly cwd?: string | undefined }
);

export interface NotifyOptions {
  /** By name. Read for every notification, so that a reload reaches them. */
  readonly channels: () => Readonly<Record<string, EscalationChannel>>;
  readonly tiers: () => readonly EscalationTier[];
  /** Targets of webhooks beside public addresses by https. */
  readonly allowed: () => AllowedTargets;
  readonly clock?: Clock | undefined;
  /** For tests: the addresses of a name. */
  readonly resolve?: SafeRequest['resolve'];
}

/** Twelve attempts within about an hour: a person must know by then that nobody was notified. */
const POLICY = /* @__PURE__ */ definePolicy({
  id: 'escalation.notify',
  name: 'Notifications of escalations',
  maxAttempts: 12,
  baseDelayMs: 2_000,
  maxDelayMs: 600_000,
  multiplier: 2,
  jitter: 'full',
  attemptTimeoutMs: 120_000,
  classify: httpErrors,
});

/**
 * The handler `escalation.notify`. Each channel gets a notification once (`context.once`): an attempt that follows the
 * failure of one channel leaves the others alone. A process that is killed between an answer and its record sends again,
 * with the same `idempotency-key`.
 */
export function notifyHandler(options: NotifyOptions): HandlerDefinition<Notification, unknown> {
  return {
    policy: POLICY,
    idempotent: true,
    async run(notification, context) {
      const channels = options.channels();
      const tier = options.tiers().find((one) => one.tier === notification.tier);
      const names = tier?.notify ?? Object.keys(channels);
      const failed: Failed[] = [];
      for (const name of names) {
        const channel = Object.hasOwn(channels, name) ? channels[name] : undefined;
        if (channel === undefined) {
          failed.push({ name, why: 'this process has no such channel', isFinal: false });
          continue;
        }
        await context
          .once(`${context.jobId}/${name}`, () => send(channel, notification, context, options))
          .catch((error: unknown) => void failed.push(failureOf(name, error)));
      }
      return failed.length === 0 ? { notified: names } : concluded(notification, failed);
    },
  };
}

interface Failed {
  readonly name: string;
  readonly why: string;
  readonly isFinal: boolean;
  readonly cause?: unknown;
}

/** A refusal: the same request would be refused again. */
class Refused extends Error {}

/** @throws WebhookError with the class of one failure that may pass by itself. */
function concluded({ escalation, tier }: Notification, failed: readonly Failed[]): Verdict {
  const why = failed.map(({ name, why: each }) => `channel ${name}: ${each}`).join('; ');
  const message = `Tier ${tier} of ${escalation} was not notified. ${why}`;
  const passing = failed.find(({ isFinal }) => !isFinal);
  if (passing === undefined) return final(message);
  throw new WebhookError(message, { cause: passing.cause });
}

class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

function failureOf(name: string, error: unknown): Failed {
  const why = error instanceof Error ? error.message : String(error);
  // A 404 of one channel must not end the attempts at the others.
  const found = httpErrors(error, { attempt: 1, nowMs: Number.NaN });
  const isFinal = error instanceof Refused || found?.errorClass === 'final';
  return { name, why, isFinal, cause: error };
}

async function send(
  channel: EscalationChannel,
  notification: Notification,
  context: JobContext,
  { allowed, clock = systemClock, resolve }: NotifyOptions,
): Promise<{ readonly status?: number | undefined }> {
  const { timeoutMs } = channel;
  if ('command' in channel) {
    const { command, cwd } = channel;
    const run = commandHandler<Notification>({ command, cwd, timeoutMs, clock }).run;
    const answer = await run(notification, context);
    if (isVerdict(answer)) throw verdictError(answer);
    return {};
  }
  const { url, authorization, problem } = channel;
  if (problem !== undefined) throw new Error(problem);
  // As in `httpHandler`: only who sends loads the HTTP module.
  const { safeRequest } = await import(/* webpackMode: "eager" */ '../http/safe-request.ts');
  const answer = await safeRequest({
    ...{ url, method: 'POST', timeoutMs, clock, resolve, allowed: allowed() },
    body: JSON.stringify(notification),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'redrive',
      // The id has the name of a collection, and a header only Latin letters.
      'idempotency-key': encodeURI(context.jobId.toWellFormed()),
      ...(authorization !== undefined && { authorization }),
    },
    signal: context.signal,
  });
  if (answer.kind === 'refused') throw new Refused(answer.why);
  if (answer.kind === 'failed') throw new Error(answer.why);
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { status };
  const message = `${new URL(url).host} answered HTTP ${status}`;
  // A redirect is not followed: the configuration must name the right address.
  if (status < 400) throw new Refused(message);
  throw Object.assign(new Error(message), { status, headers });
}

function verdictError({ kind, message, delayMs }: Verdict): Error {
  if (kind !== 'retry_after') return new Refused(message);
  return Object.assign(new Error(message), { retryAfterMs: delayMs });
}
