import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpErrors } from '@redrive/core/classify/http';
import type { VirtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import { isVerdict } from '../handler/verdict.ts';
import { jobContext } from '../testing/job-context.ts';
import { workBench } from '../testing/work-bench.ts';
import { type EscalationChannel, type Notification, notifyHandler } from './notify.ts';
import { DEFAULT_TIERS } from './tiers.ts';

const NOTIFICATION: Notification = {
  ...{ schema_version: '1.0.0', escalation: 'fp1:0123456789abcdef', kind: 'cause' },
  ...{ title: 'Error: no', tier: 3, tier_name: 'critical', owner: 'Service team' },
  ...{ stuck: 0, failed: 7, bounded: false, stuck_since: null },
  ...{ raised_at: '2026-11-16T12:00:00.000Z', respond_by: null, resolve_by: null },
};
const LOOPBACK = { http: ['127.0.0.1'], private: ['127.0.0.1'] };

async function webhook(answers: readonly number[] = [204], headers = {}) {
  const got: { body: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const status = answers[got.length] ?? answers.at(-1) ?? 204;
      got.push({ body, headers: request.headers });
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { got, url: `http://127.0.0.1:${port}/services/T0/secret-path` };
}

function handlerOf(
  channels: Readonly<Record<string, EscalationChannel>>,
  allowed = {},
  notify?: readonly string[],
) {
  const tiers = DEFAULT_TIERS.map((tier) => (tier.tier === 3 ? { ...tier, notify } : tier));
  return notifyHandler({
    ...{ channels: () => channels, tiers: () => tiers, allowed: () => allowed },
    resolve: async () => [],
  });
}

/** A request and a program take real time. */
async function firstAttempt(clock: VirtualClock, attempts: () => Promise<number>) {
  await expect
    .poll(async () => {
      await clock.advance(1);
      return attempts();
    })
    .toBe(1);
}

/** Nothing is sent twice under one key. */
function ledger() {
  const keys: string[] = [];
  const once = async (key: string, run: (token: number) => unknown) => {
    if (keys.includes(key)) return undefined;
    const result = await run(1);
    keys.push(key);
    return result;
  };
  return { keys, once: once as never };
}

describe('a webhook', () => {
  it('gets the notification with its key, and the authorization', async () => {
    const { got, url } = await webhook();
    const pager = { url, timeoutMs: 2_000, authorization: 'Bearer abc' };
    const context = jobContext({ jobId: 'escalation/x/3/t' });
    await handlerOf({ pager }, LOOPBACK).run(NOTIFICATION, context);
    expect(JSON.parse(got[0]?.body ?? '')).toEqual(NOTIFICATION);
    expect(got[0]?.headers).toMatchObject({
      ...{ 'content-type': 'application/json', authorization: 'Bearer abc' },
      'idempotency-key': 'escalation/x/3/t',
    });
  });

  it.each([
    ['a redirect is final', 302, 'answered HTTP 302'],
    ['an error of the server may pass', 503, 'answered HTTP 503'],
  ])('%s, and the path of the URL is not in the message', async (_, status, why) => {
    const { url } = await webhook([status], { location: 'http://127.0.0.1:1/' });
    const handler = handlerOf({ pager: { url, timeoutMs: 2_000 } }, LOOPBACK);
    const answer = await Promise.resolve(handler.run(NOTIFICATION, jobContext())).catch(
      (error: unknown) => error,
    );
    expect(isVerdict(answer)).toBe(status === 302);
    const { message } = answer as Error;
    expect(message).toContain(`channel pager: 127.0.0.1`);
    expect(message).toContain(why);
    expect(message).not.toContain('secret-path');
  });

  it('that answers 404 does not end the attempts at another one', async () => {
    const { url } = await webhook([404]);
    const away = { url: 'https://hooks.example/', timeoutMs: 2_000 };
    const handler = handlerOf({ gone: { url, timeoutMs: 2_000 }, away }, LOOPBACK);
    const thrown = await Promise.resolve(handler.run(NOTIFICATION, jobContext())).catch(
      (error: unknown) => error,
    );
    expect(String(thrown)).toMatch(/channel gone: .* answered HTTP 404; channel away: /);
    expect(httpErrors(thrown, { attempt: 1, nowMs: 0 })?.errorClass).not.toBe('final');
  });

  it('of a collection with letters of any script gets its key in a header', async () => {
    const { got, url } = await webhook();
    const context = jobContext({ jobId: 'escalation/архив/3/t' });
    await handlerOf({ pager: { url, timeoutMs: 2_000 } }, LOOPBACK).run(NOTIFICATION, context);
    expect(decodeURI(String(got[0]?.headers['idempotency-key']))).toBe('escalation/архив/3/t');
  });

  it('whose authorization is missing is asked later', async () => {
    const { got, url } = await webhook();
    const pager = { url, timeoutMs: 2_000, problem: 'the variable TOKEN is not set' };
    await expect(
      Promise.resolve(handlerOf({ pager }, LOOPBACK).run(NOTIFICATION, jobContext())),
    ).rejects.toThrow('channel pager: the variable TOKEN is not set');
    expect(got).toEqual([]);
  });

  it('with a forbidden address is refused at once', async () => {
    const { got, url } = await webhook();
    const answer = await handlerOf({ pager: { url, timeoutMs: 2_000 } }).run(
      NOTIFICATION,
      jobContext(),
    );
    expect(answer).toMatchObject({ kind: 'final', message: expect.stringContaining('TLS') });
    expect(got).toEqual([]);
  });
});

it('a command gets the notification on its standard input', async () => {
  const script = 'read line; test "$line" = "$WANTED" || exit 1';
  process.env.WANTED = JSON.stringify(NOTIFICATION);
  onTestFinished(() => void delete process.env.WANTED);
  const command = ['sh', '-c', script];
  const good = handlerOf({ mail: { command, timeoutMs: 5_000 } });
  expect(await good.run(NOTIFICATION, jobContext())).toEqual({ notified: ['mail'] });
  const bad = handlerOf({ mail: { command: ['sh', '-c', 'exit 64'], timeoutMs: 5_000 } });
  expect(await bad.run(NOTIFICATION, jobContext())).toMatchObject({ kind: 'final' });
});

it('a webhook that is unreachable stops nothing, and becomes a dead letter that says so', async () => {
  const ran: string[] = [];
  const { jobs, clock, look } = workBench({
    'escalation.notify': handlerOf({
      pager: { url: 'https://hooks.example/a/b', timeoutMs: 2_000 },
    }),
    other: () => void ran.push('other'),
  });
  await jobs.start();
  const { id } = await jobs.enqueue('escalation.notify', NOTIFICATION);
  await jobs.enqueue('other', 1 as never);
  await clock.advance(3 * 3_600_000);
  const job = await look(id);
  expect([job.state, job.reason, ran]).toEqual(['dead', 'max_attempts_exceeded', ['other']]);
  expect(deadLetterOf(job)).toMatchObject({ attempt_count: 12 });
  expect(job.attempts.kept.at(-1)?.error?.message).toBe(
    'Tier 3 of fp1:0123456789abcdef was not notified. channel pager: hooks.example: the name has no address',
  );
});

it('an attempt after the failure of one channel leaves the others alone', async () => {
  const { got, url } = await webhook();
  const { keys, once } = ledger();
  const channels = {
    away: { url: 'https://hooks.example/', timeoutMs: 2_000 },
    pager: { url, timeoutMs: 2_000 },
  };
  const handler = handlerOf(channels, LOOPBACK);
  const context = jobContext({ jobId: 'escalation/x/3/t', once });
  for (const _ of [1, 2, 3]) {
    await expect(async () => handler.run(NOTIFICATION, context)).rejects.toThrow('channel away');
  }
  expect(got).toHaveLength(1);
  expect(keys).toEqual(['escalation/x/3/t/pager']);
  // The next rise has another id.
  await expect(async () =>
    handler.run(NOTIFICATION, jobContext({ jobId: 'escalation/x/4/t', once })),
  ).rejects.toThrow('channel away');
  expect(got).toHaveLength(2);
});

it("a tier's own list names its channels, and no other one is notified", async () => {
  const [pager, mail] = [await webhook(), await webhook()];
  const channels = {
    pager: { url: pager.url, timeoutMs: 2_000 },
    mail: { url: mail.url, timeoutMs: 2_000 },
  };
  const third = handlerOf(channels, LOOPBACK, ['mail']);
  expect(await third.run(NOTIFICATION, jobContext())).toEqual({ notified: ['mail'] });
  expect([pager.got.length, mail.got.length]).toEqual([0, 1]);
  const second = { ...NOTIFICATION, tier: 2 };
  expect(await third.run(second, jobContext())).toEqual({ notified: ['pager', 'mail'] });
  expect([pager.got.length, mail.got.length]).toEqual([1, 2]);
});

it.each(['gone', 'constructor'])(
  'a channel %s that this process does not have may come with a reload, and the others are notified',
  async (name) => {
    const { got, url } = await webhook();
    const channels = { pager: { url, timeoutMs: 2_000 } };
    const handler = handlerOf(channels, LOOPBACK, [name, 'pager']);
    await expect(async () => handler.run(NOTIFICATION, jobContext())).rejects.toThrow(
      `channel ${name}: this process has no such channel`,
    );
    expect(got).toHaveLength(1);
  },
);

it.each([
  ...(['exit 65', 'exit 77', 403, 404] as const).map((answer) => [answer, 'dead'] as const),
  ...(['exit 75', 'exit 1', 429, 503] as const).map((answer) => [answer, 'scheduled'] as const),
])(
  'a channel that answers %s leaves its job %s, as the tables of errors say',
  async (answer, state) => {
    const channel: EscalationChannel =
      typeof answer === 'number'
        ? { url: (await webhook([answer])).url, timeoutMs: 2_000 }
        : { command: ['sh', '-c', answer], timeoutMs: 2_000 };
    const { jobs, clock, look } = workBench({
      'escalation.notify': handlerOf({ channel }, LOOPBACK),
    });
    const { id } = await jobs.enqueue('escalation.notify', NOTIFICATION);
    await jobs.start();
    await firstAttempt(clock, async () => (await look(id)).attempts.kept.length);
    expect((await look(id)).state).toBe(state);
  },
);

it('a command that names a time is run again at that time, at no charge', async () => {
  const script = `echo '{"retry_after_ms": 90000}'; exit 75`;
  const { jobs, clock, look } = workBench({
    'escalation.notify': handlerOf({ mail: { command: ['sh', '-c', script], timeoutMs: 5_000 } }),
  });
  const { id } = await jobs.enqueue('escalation.notify', NOTIFICATION);
  await jobs.start();
  await firstAttempt(clock, async () => (await look(id)).attempts.kept.length);
  const { state, dueAtMs = 0, attempts } = await look(id);
  const [attempt] = attempts.kept;
  const { startedAtMs = 0, durationMs = 0, entry } = attempt ?? {};
  expect([state, entry]).toEqual(['scheduled', 'rate_limited']);
  // Not earlier than the command said, and little later.
  const waitsMs = dueAtMs - startedAtMs - durationMs;
  expect(waitsMs).toBeGreaterThanOrEqual(90_000);
  expect(waitsMs).toBeLessThan(120_000);
});
