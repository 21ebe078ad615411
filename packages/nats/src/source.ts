import { createHash } from 'node:crypto';
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
import { type BusRule, busProblems } from '@redrive/durable/store';

const ACK_WAIT_MS = 30_000;

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

/** A source with the names that JetStream has for it. */
export interface NatsSource {
  readonly name: string;
  readonly stream: string;
  readonly subject: string;
  /** The durable consumer: the source's name; `mail.send` is `mail_send-` and a hash, so that it is not `mail_send`. */
  readonly consumer: string;
}

export function namesOf({ name, stream = '', subject }: BusSource): NatsSource {
  const plain = name.replace(/[\s.*>/\\]/g, '_');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const consumer = plain === name ? name : `${plain}-${hash}`;
  return { name, stream, subject: subject ?? name, consumer };
}

/** The stream and the consumer, as far as they exist. */
export interface Found {
  readonly stream?: StreamInfo | undefined;
  readonly consumer?: ConsumerInfo | undefined;
}

export async function find(manager: JetStreamManager, names: NatsSource): Promise<Found> {
  const { stream, consumer } = names;
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

/**
 * Lets the consumer deliver `prefetch` messages beside those that are delivered and not acknowledged. Other processes have
 * them, or they were lost with a process, a connection or a node: then the server delivers them again after `ack_wait`, and
 * without this room it would deliver no other message until then.
 *
 * @param own messages that the caller has, and that count for its `prefetch`.
 */
export function roomFor(prefetch: number, { num_ack_pending }: ConsumerInfo, own = 0): number {
  return prefetch + Math.max(0, num_ack_pending - own);
}

/** Sets how many messages may be delivered and not acknowledged, over all processes. */
export async function allow(
  manager: JetStreamManager,
  { stream, consumer }: NatsSource,
  messages: number,
): Promise<void> {
  await manager.consumers.update(stream, consumer, { max_ack_pending: messages });
}

const INIT = 'Create it: redrive events init.';

/** All problems of a source. */
export function problemsOf(source: BusSource, names: NatsSource, found: Found): BusProblem[] {
  const { name, stream, subject, consumer } = names;
  const config = found.consumer?.config;
  const filter = config?.filter_subject || subject;
  const isName = !/[\s.*>/\\]/.test(stream);
  const subjects = found.stream?.config.subjects ?? [];
  const its = `Consumer ${consumer}`;
  const errors: readonly BusRule[] = [
    [source.queue !== undefined, `Source ${name} has a queue, as RabbitMQ has`, 'Name a stream.'],
    [stream === '', `Source ${name} has no stream`, 'Name it: stream: docs.'],
    [!isName, `"${stream}" is not a name of a stream`, 'Leave out spaces, dots, slashes, * and >.'],
    [isName && stream !== '' && !found.stream, `Stream ${stream} does not exist`, INIT],
    [!!found.stream && !config, `Stream ${stream} has no consumer ${consumer}`, INIT],
    [
      !!found.stream && subject !== '>' && !subjects.some((each) => covers(each, subject)),
      `Stream ${stream} does not have the subject ${subject}`,
      `Add it: nats stream edit ${stream} --subjects …,${subject}.`,
    ],
    [!!config?.deliver_subject, `${its} pushes messages`, `Delete it. ${INIT}`],
    [
      !!config && config.ack_policy !== AckPolicy.Explicit,
      `${its} acknowledges messages that are not stored: its policy is ${config?.ack_policy}`,
      `Delete it. ${INIT}`,
    ],
    [
      (config?.max_deliver ?? -1) > 0,
      `${its} delivers a message at most ${config?.max_deliver} times, and then never again`,
      'Set max_deliver to -1: nats consumer edit --max-deliver=-1.',
    ],
    [filter !== subject, `${its} takes ${filter}, not ${subject}`, `Set its filter to ${subject}.`],
  ];
  return [
    ...busProblems('error', errors),
    ...busProblems('warning', found.stream ? streamWarnings(stream, found.stream) : []),
    ...busProblems('warning', [
      [!!config?.backoff?.length, `${its} has a back-off list`, 'Remove it: Redrive decides.'],
      [
        !!config && (config.ack_wait ?? 0) < nanos(ACK_WAIT_MS),
        `${its} has an ack_wait below 30 s: slow stores get messages twice`,
        'Set ack_wait to 30s.',
      ],
    ]),
  ];
}

function streamWarnings(stream: string, { config }: StreamInfo): readonly BusRule[] {
  const isInMemory = config.storage === StorageType.Memory;
  return [
    [isInMemory, `Stream ${stream} is in memory: a restart loses it`, 'Use storage: file.'],
    [
      !isInMemory && config.num_replicas < 3,
      `Stream ${stream} may lose its last messages in a power cut: the server does not say whether it syncs`,
      'Set jetstream { sync_interval: always } (server 2.10 and newer), or use three replicas.',
    ],
    [
      config.discard === 'old' && (config.max_msgs > 0 || config.max_bytes > 0),
      `Stream ${stream} removes its oldest messages at a limit, also those that nobody has taken`,
      'Use discard: new, or remove max_msgs and max_bytes.',
    ],
  ];
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
