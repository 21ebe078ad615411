import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@redrive/testkit';
import { type BrokerKind, startBrokerCluster, urlOf } from '../broker.ts';
import { BrokerRun, type BrokerRunOptions } from '../broker-run.ts';
import { startsWhileStopped } from '../check-control.ts';
import { checkEverything } from '../check-everything.ts';
import { readEvidence } from '../evidence.ts';
import { readJournal } from '../journal.ts';
import { openTarget } from '../open-target.ts';
import { Operator, type Stop } from '../operator.ts';
import type { Place } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface BrokerClusterOptions extends BrokerRunOptions {
  readonly events: number;
  /** kill -9 of a node, one after the other: each is started again before the next one is killed. */
  readonly kills: number;
  readonly slackMs: number;
  /** NATS: `ack_wait` of the consumer. */
  readonly ackWaitMs: number;
  /** A process takes messages again so soon after a kill, and both so soon after the broker has confirmed messages. */
  readonly consumingWithinMs: number;
  /** How long the kill switch is engaged. */
  readonly stopMs: number;
  /** So long after the kill switch is engaged, nothing is taken and nothing starts any more. */
  readonly seenWithinMs: number;
  /** Leases that a busy machine may lose besides. Default 0. */
  readonly lostBesides?: number;
}

export const BROKER_CLUSTER: BrokerClusterOptions = {
  seed: 1,
  events: 20_000,
  kills: 6,
  prefetch: 256,
  concurrency: 16,
  leaseMs: 10_000,
  sweepMs: 300,
  slackMs: 2_000,
  ackWaitMs: 30_000,
  consumingWithinMs: 10_000,
  stopMs: 6_000,
  seenWithinMs: 2_000,
};

const STOPS = 'stops';
/** Events per pause, when a share is sent and the run still waits for both processes. */
const TRICKLE = 2;
const TRICKLE_MS = 100;

/** Kills each node of a cluster in turn while two processes share its events, and stops both with one kill switch. */
export async function brokerCluster(
  broker: BrokerKind,
  place: Place,
  options: BrokerClusterOptions,
): Promise<Report> {
  const { seed, kills, events, prefetch } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const cluster = await startBrokerCluster(broker, options.ackWaitMs);
  const nodes = cluster.nodes.map(({ port }) => urlOf(broker, port));
  // Each begins with another node, so that a kill meets a process that is connected to it.
  const [own = '', ...consumers] = nodes.map((_, from) =>
    [...nodes.slice(from), ...nodes.slice(0, from)].join(','),
  );
  const run = new BrokerRun(broker, { own, consumers }, place, options);
  const random = seededRandom(seed + 1);
  const share = (part: number) => Math.ceil((events * part) / (kills + 1));
  let longestMs = 0;
  let longestOfBothMs = 0;

  async function kill(round: number): Promise<void> {
    const node = cluster.nodes[round % cluster.nodes.length];
    let killedAtMs = 0;
    let lastSend = 0;
    const consuming = sleep(random() * 300).then(async () => {
      await node?.kill();
      // Not on RabbitMQ: a quorum queue has acknowledgements on two nodes more.
      if (broker === 'nats') run.serverKilled();
      killedAtMs = Date.now();
      lastSend = run.publisher.counts.sends;
      return (await run.consumesAgain(killedAtMs, lastSend)) ?? [Number.POSITIVE_INFINITY];
    });
    await sendUntil(consuming, share(round + 1));
    const takenAtMs = await consuming;
    longestMs = Math.max(longestMs, Math.min(...takenAtMs) - killedAtMs);
    // A cluster that elects a leader confirms no message: there may be none for the second process.
    const confirmedAtMs = run.publisher.confirmedAfter(lastSend) ?? killedAtMs;
    longestOfBothMs = Math.max(longestOfBothMs, Math.max(...takenAtMs) - confirmedAtMs);
    await node?.restart();
    await cluster.healthy();
  }

  /** Sends events up to this number, and then a few more until something is done: so there are always some to take. */
  async function sendUntil(done: Promise<unknown>, upTo: number): Promise<void> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    done.then(end, end);
    await run.publisher.send(upTo);
    while (!isDone) {
      await sleep(TRICKLE_MS);
      await run.publisher.send(Math.min(run.publisher.counts.events + TRICKLE, events));
    }
  }

  try {
    await run.ready();
    await sendUntil(run.consumesAgain(0), 0);
    for (let round = 0; round < kills; round++) await kill(round);
    const { consumingWithinMs } = options;
    findings.atMost('longest until consuming, ms', longestMs, consumingWithinMs);
    findings.atMost('both consume, ms after a confirmation', longestOfBothMs, consumingWithinMs);
    await stopBoth(run, place, options, [share(kills + 0.4), share(kills + 0.8)]);
    const again = run.consumesAgain(Date.now());
    await sendUntil(again, 0);
    if (!(await again)) findings.violation('takes nothing any more', 'after the kill switch');
    await run.publisher.send(events);
    await run.finish(findings);
  } finally {
    await run.stop();
    await cluster.stop();
  }
  run.checkDeliveries(findings, (kills + 1) * consumers.length * prefetch);
  checkShares(run, findings);
  checkStop(run, place, options, findings);
  const { failures } = run;
  await checkEverything(place, { ...options, workers: consumers.length, failures }, findings);
  findings.figures['nodes killed'] = kills;
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: `cluster, ${broker}`, store: place.kind, seed, figures, violations };
}

/** Engages one kill switch while events arrive, and releases it. */
async function stopBoth(
  run: BrokerRun,
  place: Place,
  { stopMs }: BrokerClusterOptions,
  [first, second]: readonly [number, number],
): Promise<void> {
  const store = await openTarget(place.target);
  const operator = new Operator(store, join(place.directory, STOPS));
  const sending = run.publisher.send(first);
  const stop = operator.kill({ scope: 'all' }, { mode: 'finish', forMs: stopMs, paced: false });
  // Events that come while nothing is taken: both processes find some after the release.
  await Promise.all([sending, stop, sleep(stopMs / 2).then(() => run.publisher.send(second))]);
  await store.close();
}

/** Both processes have taken a part of the events. */
function checkShares(run: BrokerRun, findings: Findings): void {
  for (const name of run.consumers) {
    const batches = run.batches().filter(({ worker }) => worker === name);
    const taken = batches.reduce((sum, { sends }) => sum + sends.length, 0);
    findings.figures[`messages of ${name}`] = taken;
    if (taken === 0) findings.violation('takes nothing', name);
  }
}

/** While the kill switch was engaged, no process took a message or started a job. */
function checkStop(
  run: BrokerRun,
  { directory }: Place,
  { seenWithinMs }: BrokerClusterOptions,
  findings: Findings,
): void {
  const { deeds, blows, remarks } = readEvidence(directory);
  const stops = readJournal<Stop>(join(directory, STOPS));
  const [stop] = stops;
  const fromMs = stop?.fromMs ?? 0;
  const isInside = ({ atMs }: { readonly atMs: number }) =>
    stop !== undefined && atMs > fromMs + seenWithinMs && atMs < stop.toMs;
  findings.none('started while stopped', startsWhileStopped(deeds, blows, stops, { seenWithinMs }));
  findings.none(
    'taken while stopped',
    run
      .batches()
      .filter(isInside)
      .map(({ worker, atMs }) => `by ${worker}, after ${atMs - fromMs} ms`),
  );
  const stopped = new Set(
    remarks.filter(({ kind }) => kind === 'source_stopped').map(({ worker }) => worker),
  );
  findings.none(
    'did not obey the kill switch',
    run.consumers.filter((name) => !stopped.has(name)),
  );
}
