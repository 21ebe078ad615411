import { join } from 'node:path';
import { until } from '@redrive/testkit/services';
import { type BrokerKind, openBus, sourceOf } from './broker.ts';
import { EventPublisher } from './event-publisher.ts';
import { type DeliveredBatch, Evidence } from './evidence.ts';
import { Fleet, type Member } from './fleet.ts';
import { JournalTail } from './journal.ts';
import { openTarget } from './open-target.ts';
import type { Place } from './place.ts';
import type { EventSettings, ProcessSettings } from './process-settings.ts';
import type { Findings } from './report.ts';

export interface BrokerRunOptions {
  readonly seed: number;
  readonly prefetch: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly sweepMs: number;
  /** A planted bug: the run must then report violations. Default: none. */
  readonly bug?: EventSettings['bug'];
}

export interface BrokerUrls {
  /** For the publisher, and for looks at the broker. */
  readonly own: string;
  /** For each consumer process. */
  readonly consumers: readonly string[];
}

/** Until the first message after a fault: the connection, a start of the broker and `ack_wait` are in it. */
const CONSUMING_AGAIN_MS = 120_000;
const FINISH_TIMEOUT_MS = 300_000;
const WORKER = { longShare: 0, pollMs: 200, timeoutMs: 5_000, fencing: true } as const;

/**
 * A broker writes acknowledgements to disk later: after a kill it delivers those messages again. Seen: on NATS 2.9 none
 * that is older than 2 s, on a classic queue of RabbitMQ 3.10 none that is older than 100 ms.
 */
const FORGOTTEN_MS = { nats: 2_000, rabbitmq: 500 } as const;

/** The publisher and the consumer processes of one source, and the messages that the broker has delivered to them. */
export class BrokerRun {
  readonly publisher: EventPublisher;
  readonly #broker: BrokerKind;
  readonly #urls: BrokerUrls;
  readonly #place: Place;
  readonly #options: BrokerRunOptions;
  readonly #evidence: Evidence;
  readonly #fleet = new Fleet();
  readonly #consumers: Member[];
  readonly #deliveries: JournalTail<DeliveredBatch>;
  readonly #batches: DeliveredBatch[] = [];
  /** Messages whose acknowledgement a killed server may have forgotten. */
  #forgotten = 0;

  constructor(broker: BrokerKind, urls: BrokerUrls, place: Place, options: BrokerRunOptions) {
    this.#broker = broker;
    this.#urls = urls;
    this.#place = place;
    this.#options = options;
    this.#evidence = new Evidence(place.directory);
    this.#deliveries = new JournalTail(join(place.directory, 'deliveries'));
    this.publisher = new EventPublisher(broker, urls.own, options.seed, this.#evidence);
    this.#consumers = urls.consumers.map((url) => this.#start(url));
  }

  get failures(): readonly string[] {
    return this.#fleet.failures;
  }

  /** The names of the consumer processes. */
  get consumers(): readonly string[] {
    return this.#consumers.map(({ name }) => name);
  }

  async ready(): Promise<void> {
    await Promise.all(this.#consumers.map(({ ready }) => ready));
    this.#fleet.checkAlive();
  }

  /** Kills the first consumer with -9, and starts another one in its place. */
  async killConsumer(): Promise<void> {
    const [killed] = this.#consumers;
    const [url] = this.#urls.consumers;
    if (killed === undefined || url === undefined) throw new Error('There is no consumer');
    await killed.ready;
    this.#evidence.blows.write({ kind: 'kill', worker: killed.name, atMs: Date.now() });
    await this.#fleet.kill(killed);
    const started = this.#start(url);
    this.#consumers[0] = started;
    await started.ready;
  }

  /** Called when a server of the broker has just been killed. */
  serverKilled(): void {
    for (const { sends } of this.batches(Date.now() - FORGOTTEN_MS[this.#broker]))
      this.#forgotten += sends.length;
  }

  /**
   * Waits until each consumer has taken a batch since this time. The times at which each did, or undefined.
   *
   * @param afterSend batches count that have a later send than this one: older ones may have been on their way.
   */
  async consumesAgain(sinceMs: number, afterSend = 0): Promise<readonly number[] | undefined> {
    const firsts = () => {
      const isLater = ({ sends }: DeliveredBatch) => sends.some((send) => send > afterSend);
      const batches = this.batches(sinceMs).filter(isLater);
      return this.consumers.map((name) => batches.find(({ worker }) => worker === name)?.atMs);
    };
    const takes = () => !firsts().includes(undefined);
    const isDone = await until(takes, { timeoutMs: CONSUMING_AGAIN_MS, everyMs: 50 });
    this.#fleet.checkAlive();
    return isDone ? firsts().flatMap((atMs) => atMs ?? []) : undefined;
  }

  /** Waits until the broker has nothing left and all jobs have their result. */
  async finish(findings: Findings): Promise<void> {
    const store = await openTarget(this.#place.target);
    const bus = openBus(this.#urls.own);
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
    const delivered = this.batches().flatMap((batch) => batch.sends);
    const forgotten = this.#forgotten + this.#begunAnew(findings, delivered);
    const again = delivered.length - new Set(delivered).size;
    Object.assign(findings.figures, { sends, 'confirmed sends': confirmed });
    findings.figures.deliveries = delivered.length;
    findings.atMost('redeliveries', again, bound + forgotten);
  }

  /**
   * NATS 2.9 writes the state of a consumer over the old one. A kill in between leaves none, and the server begins with
   * the first message again. Answers how many messages came again for that reason.
   */
  #begunAnew(findings: Findings, delivered: readonly number[]): number {
    if (this.#broker !== 'nats') return 0;
    const starts = [...delivered.keys()].filter((at) => delivered[at] === delivered[0]).slice(1);
    findings.figures['times that the server began anew'] = starts.length;
    return starts.reduce((sum, at) => sum + new Set(delivered.slice(0, at)).size, 0);
  }

  /** Batches that the broker has delivered, since a time or from the beginning. */
  batches(sinceMs = 0): readonly DeliveredBatch[] {
    for (const batch of this.#deliveries.next()) this.#batches.push(batch);
    return this.#batches.filter(({ atMs }) => atMs >= sinceMs);
  }

  #start(url: string): Member {
    const started = this.#fleet.start('worker-process', (name) => this.#settings(name, url));
    void started.ready.then(() => {
      this.#evidence.blows.write({ kind: 'ready', worker: started.name, atMs: Date.now() });
    });
    return started;
  }

  #settings(name: string, url: string): ProcessSettings {
    const { seed, concurrency, leaseMs, sweepMs, prefetch, bug } = this.#options;
    const { target, directory } = this.#place;
    const events = { broker: this.#broker, url, prefetch, ...(bug !== undefined && { bug }) };
    return {
      ...WORKER,
      ...{ target, directory, name, seed, concurrency, leaseMs, sweepMs, events },
    };
  }
}

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled', 'purged']);
