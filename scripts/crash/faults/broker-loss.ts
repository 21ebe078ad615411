import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { type Service, startTcpProxy, type TcpProxy, until } from '@redrive/testkit/services';
import { type BrokerKind, openBus, sourceOf, startBroker, urlOf } from '../broker.ts';
import { checkEverything } from '../check-everything.ts';
import { EventPublisher } from '../event-publisher.ts';
import { type DeliveredBatch, Evidence } from '../evidence.ts';
import { Fleet, type Member } from '../fleet.ts';
import { readJournal } from '../journal.ts';
import { openTarget } from '../open-target.ts';
import type { Place } from '../place.ts';
import type { EventSettings, ProcessSettings } from '../process-settings.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface BrokerLossOptions {
  readonly seed: number;
  readonly events: number;
  /** Times of each: kill -9 of the broker, kill -9 of the consumer, a cut connection, a stalled connection. */
  readonly times: number;
  readonly prefetch: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly slackMs: number;
  /** Longest stall. Both clients give up a silent connection after a while, below this. */
  readonly stallMs: number;
  /** NATS: `ack_wait` of the consumer. */
  readonly ackWaitMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
  /** A planted bug: the run must then report violations. Default: none. */
  readonly bug?: EventSettings['bug'];
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

/** Until the first message after a fault: the connection, a start of the broker and `ack_wait` are in it. */
const CONSUMING_AGAIN_MS = 120_000;
const FINISH_TIMEOUT_MS = 300_000;
const WORKER = { longShare: 0, pollMs: 200, timeoutMs: 5_000, fencing: true } as const;

type Blow = 'broker' | 'consumer' | 'cut' | 'stall';

/** NATS 2.9 writes acknowledgements to disk later: after a kill it delivers those messages again. Seen: 0 after 2 s. */
const FORGOTTEN_MS = 2_000;

/** Kills the broker and the consumer, cuts and stalls their connection, while events arrive one to five times each. */
export async function brokerLoss(
  broker: BrokerKind,
  place: Place,
  options: BrokerLossOptions,
): Promise<Report> {
  const { seed, times, events, prefetch, ackWaitMs } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const service = await startBroker(broker, ackWaitMs);
  const proxy = await startTcpProxy({ port: service.port });
  const run = new BrokerRun(broker, service, proxy, place, options);
  try {
    await run.ready();
    const random = seededRandom(seed + 1);
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
      await run.strike(blow, random());
      await sending;
      await run.publisher.send(share(1));
      await run.consumesAgain(findings, blow);
    }
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

class BrokerRun {
  readonly publisher: EventPublisher;
  readonly #broker: BrokerKind;
  readonly #service: Service;
  readonly #proxy: TcpProxy;
  readonly #place: Place;
  readonly #options: BrokerLossOptions;
  readonly #evidence: Evidence;
  readonly #fleet = new Fleet();
  #consumer: Member;
  #struckAtMs = 0;
  /** Messages whose acknowledgement a killed server may have forgotten. */
  #forgotten = 0;
  #longestMs = 0;

  constructor(
    broker: BrokerKind,
    service: Service,
    proxy: TcpProxy,
    place: Place,
    options: BrokerLossOptions,
  ) {
    this.#broker = broker;
    this.#service = service;
    this.#proxy = proxy;
    this.#place = place;
    this.#options = options;
    this.#evidence = new Evidence(place.directory);
    const url = urlOf(broker, service.port);
    this.publisher = new EventPublisher(broker, url, options.seed, this.#evidence);
    this.#consumer = this.#startConsumer();
  }

  get failures(): readonly string[] {
    return this.#fleet.failures;
  }

  async ready(): Promise<void> {
    await this.#consumer.ready;
    this.#fleet.checkAlive();
  }

  async strike(blow: Blow, chance: number): Promise<void> {
    const { stallMs } = this.#options;
    switch (blow) {
      case 'broker':
        if (this.#broker === 'nats') this.#forgotten += this.#deliveredSince(FORGOTTEN_MS);
        await this.#service.kill();
        await sleep(chance * 500);
        await this.#service.restart();
        break;
      case 'consumer': {
        const killed = this.#consumer;
        await killed.ready;
        this.#evidence.blows.write({ kind: 'kill', worker: killed.name, atMs: Date.now() });
        await this.#fleet.kill(killed);
        this.#consumer = this.#startConsumer();
        await this.#consumer.ready;
        break;
      }
      case 'cut':
        this.#proxy.cut();
        break;
      case 'stall':
        this.#proxy.stall();
        await sleep(chance * stallMs);
        await this.#proxy.pass();
    }
    this.#struckAtMs = Date.now();
  }

  /** Waits for the first batch after a fault. */
  async consumesAgain(findings: Findings, blow: Blow): Promise<void> {
    const takes = () => this.#batches().some(({ atMs }) => atMs >= this.#struckAtMs);
    const isDone = await until(takes, { timeoutMs: CONSUMING_AGAIN_MS, everyMs: 50 });
    this.#fleet.checkAlive();
    this.#longestMs = Math.max(this.#longestMs, Date.now() - this.#struckAtMs);
    findings.figures['longest until consuming again, ms'] = this.#longestMs;
    if (!isDone) findings.violation('takes nothing any more', `after ${blow}`);
  }

  /** Waits until the broker has nothing left and all jobs have their result. */
  async finish(findings: Findings): Promise<void> {
    const store = await openTarget(this.#place.target);
    const bus = openBus(urlOf(this.#broker, this.#service.port));
    const source = sourceOf(this.#broker, this.#options.prefetch);
    const left = async (): Promise<number> => {
      const { waiting = 0, unacknowledged = 0 } = await bus.check(source);
      return waiting + unacknowledged;
    };
    const isDone = async (): Promise<boolean> => {
      this.#fleet.checkAlive();
      if ((await left()) > 0) return false;
      const { groups } = await store.counts();
      return groups.every(({ state, count }) => count === 0 || FINAL.has(state));
    };
    await until(isDone, { timeoutMs: FINISH_TIMEOUT_MS, everyMs: 200 });
    findings.figures['left in the broker'] = await left();
    if ((await left()) > 0) findings.violation('left in the broker', `${await left()} messages`);
    await bus.close();
    await store.close();
  }

  async stop(): Promise<void> {
    await this.#fleet.stop();
    await this.publisher.close();
  }

  /** Redeliveries are bounded, and every confirmed message reached a consumer. */
  checkDeliveries(findings: Findings, bound: number): void {
    const { sends, confirmed } = this.publisher.counts;
    const delivered = this.#batches().flatMap((batch) => batch.sends);
    const again = delivered.length - new Set(delivered).size;
    Object.assign(findings.figures, { sends, 'confirmed sends': confirmed });
    findings.figures.deliveries = delivered.length;
    findings.atMost('redeliveries', again, bound + this.#forgotten);
  }

  #deliveredSince(ms: number): number {
    const sinceMs = Date.now() - ms;
    const recent = this.#batches().filter(({ atMs }) => atMs >= sinceMs);
    return recent.reduce((sum, { sends }) => sum + sends.length, 0);
  }

  #batches(): readonly DeliveredBatch[] {
    return readJournal<DeliveredBatch>(join(this.#place.directory, 'deliveries'));
  }

  #startConsumer(): Member {
    const started = this.#fleet.start('worker-process', (name) => this.#settings(name));
    void started.ready.then(() => {
      this.#evidence.blows.write({ kind: 'ready', worker: started.name, atMs: Date.now() });
    });
    return started;
  }

  #settings(name: string): ProcessSettings {
    const { seed, concurrency, leaseMs, sweepMs, prefetch, bug } = this.#options;
    const { target, directory } = this.#place;
    const url = urlOf(this.#broker, this.#proxy.port);
    const events = { broker: this.#broker, url, prefetch, ...(bug !== undefined && { bug }) };
    return {
      ...WORKER,
      ...{ target, directory, name, seed, concurrency, leaseMs, sweepMs, events },
    };
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled', 'purged']);
