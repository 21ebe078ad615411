import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { startTcpProxy } from '@redrive/testkit/services';
import { type BrokerKind, startBroker, urlOf } from '../broker.ts';
import { BrokerRun, type BrokerRunOptions } from '../broker-run.ts';
import { checkEverything } from '../check-everything.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface BrokerLossOptions extends BrokerRunOptions {
  readonly events: number;
  /** Times of each: kill -9 of the broker, kill -9 of the consumer, a cut connection, a stalled connection. */
  readonly times: number;
  readonly slackMs: number;
  /** Longest stall. Both clients give up a silent connection after a while, below this. */
  readonly stallMs: number;
  /** NATS: `ack_wait` of the consumer. */
  readonly ackWaitMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
}

export const BROKER_LOSS: BrokerLossOptions = {
  seed: 1,
  events: 20_000,
  times: 20,
  prefetch: 256,
  concurrency: 16,
  leaseMs: 3_000,
  sweepMs: 300,
  slackMs: 2_000,
  stallMs: 20_000,
  ackWaitMs: 30_000,
};

type Blow = 'broker' | 'consumer' | 'cut' | 'stall';

/** Kills the broker and the consumer, cuts and stalls their connection, while events arrive one to five times each. */
export async function brokerLoss(
  broker: BrokerKind,
  place: Place,
  options: BrokerLossOptions,
): Promise<Report> {
  const { seed, times, events, prefetch, stallMs, ackWaitMs } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const service = await startBroker(broker, ackWaitMs);
  const proxy = await startTcpProxy({ port: service.port });
  const urls = { own: urlOf(broker, service.port), consumers: [urlOf(broker, proxy.port)] };
  const run = new BrokerRun(broker, urls, place, options);
  const random = seededRandom(seed + 1);

  async function strike(blow: Blow): Promise<void> {
    switch (blow) {
      case 'broker':
        await service.kill();
        run.serverKilled();
        await sleep(random() * 500);
        return service.restart();
      case 'consumer':
        return run.killConsumer();
      case 'cut':
        return proxy.cut();
      case 'stall':
        proxy.stall();
        await sleep(random() * stallMs);
        return proxy.pass();
    }
  }

  let longestMs = 0;
  try {
    await run.ready();
    const blows = shuffled(
      (['broker', 'consumer', 'cut', 'stall'] as const).flatMap((blow) =>
        Array.from({ length: times }, () => blow),
      ),
      random,
    );
    for (const [round, blow] of blows.entries()) {
      const share = (part: number) => Math.ceil((events * (round + part)) / blows.length);
      const sending = run.publisher.send(share(0.5));
      await sleep(random() * 300);
      await strike(blow);
      const struckAtMs = Date.now();
      await sending;
      await run.publisher.send(share(1));
      const takenAtMs = await run.consumesAgain(struckAtMs);
      if (takenAtMs === undefined) findings.violation('takes nothing any more', `after ${blow}`);
      longestMs = Math.max(longestMs, ...(takenAtMs ?? []).map((atMs) => atMs - struckAtMs));
    }
    findings.figures['longest until consuming again, ms'] = longestMs;
    await run.finish(findings);
  } finally {
    await run.stop();
    await proxy.stop();
    await service.stop();
  }
  run.checkDeliveries(findings, times * 4 * prefetch);
  const { failures } = run;
  // Handlers take no time here: as many as run have ended, and their results are on the way to the store.
  const unstored = { losses: times, extraRunsPerLoss: options.concurrency };
  await checkEverything(place, { ...options, ...unstored, workers: 1, failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: `broker loss, ${broker}`, store: place.kind, seed, figures, violations };
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
