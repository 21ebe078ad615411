import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { BusProblem, BusSource } from '@redrive/durable/events';

export const ACK_WAIT_MS = 30_000;

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

/** A source with the names that JetStream has for it. */
export interface NatsSource {
  readonly name: string;
  readonly stream: string;
  readonly subject: string;
  /** The durable consumer: the source's name, without characters that JetStream refuses. */
  readonly consumer: string;
}

export function namesOf({ name, stream = '', subject }: BusSource): NatsSource {
  return { name, stream, subject: subject ?? name, consumer: name.replace(/[\s.*>/\\]/g, '_') };
}

/** The stream and the consumer, as far as they exist. */
export interface Found {
  readonly stream?: StreamInfo | undefined;
  readonly consumer?: ConsumerInfo | undefined;
}

export async function find(
  manager: JetStreamManager,
  { stream, consumer }: NatsSource,
): Promise<Found> {
  if (stream === '') return {};
  const foundStream = await unless(STREAM_NOT_FOUND, manager.streams.info(stream));
  if (foundStream === undefined) return {};
  const foundConsumer = await unless(CONSUMER_NOT_FOUND, manager.consumers.info(stream, consumer));
  return { stream: foundStream, consumer: foundConsumer };
}

async function unless<T>(code: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const found: { code?: unknown } = Object(error);
    if (found.code === code) return undefined;
    throw error;
  }
}

/** Creates the stream and the consumer where they are missing. */
export async function create(
  manager: JetStreamManager,
  source: NatsSource,
  found: Found,
): Promise<readonly string[]> {
  const { name, stream, subject, consumer } = source;
  const made: string[] = [];
  if (found.stream === undefined) {
    await manager.streams.add({
      name: stream,
      subjects: [subject],
      storage: StorageType.File,
      // Nothing is removed that was not asked for: who wants less space sets max_age.
      retention: RetentionPolicy.Limits,
    });
    made.push(`stream ${stream}`);
  }
  if (found.consumer === undefined) {
    await manager.consumers.add(stream, {
      durable_name: consumer,
      description: `Events of the source ${name}`,
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      deliver_policy: DeliverPolicy.All,
      // The broker decides nothing about retries.
      max_deliver: -1,
    });
    made.push(`consumer ${consumer}`);
  }
  return made;
}

/** All problems of a source. */
export function problemsOf(source: BusSource, names: NatsSource, found: Found): BusProblem[] {
  const { name, stream, subject, consumer } = names;
  const problems: BusProblem[] = [];
  const report = (severity: BusProblem['severity'], problem: string, remedy: string): void => {
    problems.push({ severity, problem, remedy });
  };
  if (source.queue !== undefined) {
    report(
      'error',
      `Source ${name} has a queue, which NATS does not have`,
      'Name stream and subject instead.',
    );
  }
  if (stream === '') {
    report('error', `Source ${name} has no stream`, 'Name the JetStream stream: stream: docs.');
    return problems;
  }
  if (/[\s.*>/\\]/.test(stream)) {
    report(
      'error',
      `"${stream}" is not a name of a stream`,
      'Leave out spaces, dots, slashes, * and >.',
    );
    return problems;
  }
  if (found.stream === undefined) {
    report('error', `Stream ${stream} does not exist`, 'Create it: redrive events init.');
    return problems;
  }
  problems.push(...streamProblems(names, found.stream));
  if (found.consumer === undefined) {
    report(
      'error',
      `Stream ${stream} has no consumer ${consumer}`,
      'Create it: redrive events init.',
    );
  } else problems.push(...consumerProblems(names, found.consumer));
  if (!(found.stream.config.subjects ?? []).some((each) => covers(each, subject))) {
    report(
      'error',
      `Stream ${stream} does not have the subject ${subject}`,
      `Add it: nats stream edit ${stream} --subjects …,${subject}.`,
    );
  }
  return problems;
}

function streamProblems({ stream }: NatsSource, { config }: StreamInfo): BusProblem[] {
  const problems: BusProblem[] = [];
  const warn = (problem: string, remedy: string): void => {
    problems.push({ severity: 'warning', problem, remedy });
  };
  if (config.storage === StorageType.Memory) {
    warn(
      `Stream ${stream} is in memory: a restart of the server loses its messages`,
      'Use storage: file.',
    );
  } else if (config.num_replicas < 3) {
    warn(
      `Stream ${stream} may lose its last messages when the machine loses power: the server's sync_interval is not visible`,
      'Set jetstream { sync_interval: always } (server 2.10 and newer), or use three replicas.',
    );
  }
  if (config.discard === 'old' && (config.max_msgs > 0 || config.max_bytes > 0)) {
    warn(
      `Stream ${stream} removes its oldest messages at a limit, also those that nobody has taken`,
      'Use discard: new, or remove max_msgs and max_bytes.',
    );
  }
  return problems;
}

function consumerProblems(
  { consumer, subject }: NatsSource,
  { config }: ConsumerInfo,
): BusProblem[] {
  const problems: BusProblem[] = [];
  const report = (severity: BusProblem['severity'], problem: string, remedy: string): void => {
    problems.push({ severity, problem: `Consumer ${consumer} ${problem}`, remedy });
  };
  if (config.deliver_subject) {
    report(
      'error',
      'is a push consumer',
      'Delete it, then create a pull consumer: redrive events init.',
    );
  }
  if (config.ack_policy !== AckPolicy.Explicit) {
    report(
      'error',
      `has the acknowledgement policy ${config.ack_policy}, which acknowledges messages that are not stored`,
      'Delete it, then create it with ack explicit: redrive events init.',
    );
  }
  if ((config.max_deliver ?? -1) > 0) {
    report(
      'error',
      `delivers a message at most ${config.max_deliver} times: later ones are never taken`,
      `Set max_deliver to -1: nats consumer edit … ${consumer} --max-deliver=-1.`,
    );
  }
  if ((config.backoff?.length ?? 0) > 0) {
    report(
      'warning',
      'has a back-off list, which replaces ack_wait',
      'Remove it: Redrive decides when to retry.',
    );
  }
  if ((config.ack_wait ?? 0) < nanos(ACK_WAIT_MS)) {
    report(
      'warning',
      'has an ack_wait below 30 s: slow stores get messages twice',
      'Set ack_wait to 30s.',
    );
  }
  const filter = config.filter_subject ?? '';
  if (filter !== '' && filter !== subject) {
    report('error', `takes the subject ${filter}, not ${subject}`, `Set its filter to ${subject}.`);
  }
  return problems;
}

/** Whether a subject of a stream has all subjects of a filter. */
function covers(pattern: string, subject: string): boolean {
  const wanted = subject.split('.');
  const parts = pattern.split('.');
  for (const [index, part] of parts.entries()) {
    if (part === '>') return wanted.length > index;
    const token = wanted[index];
    if (token === undefined || token === '>') return false;
    if (part !== '*' && part !== token) return false;
  }
  return parts.length === wanted.length;
}
