import type { BusProblem, BusSource } from '@redrive/durable/events';
import { replyCodeOf, textOf } from './calls.ts';
import type { Link } from './connection.ts';

const ACCESS_REFUSED = 403;
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 406;
/** Arguments that a server compares, and more. */
const MOST_LOOKS = 25;

/** A queue as it was declared. Policies are not part of it. */
export interface QueueFound {
  readonly waiting: number;
  readonly durable: boolean;
  readonly autoDelete: boolean;
  /** Such as `x-queue-type`. Undefined: the server did not say. */
  readonly arguments: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Undefined: the queue does not exist. */
export async function findQueue(link: Link, queue: string): Promise<QueueFound | undefined> {
  try {
    const { messageCount } = await link.onChannel((channel) => channel.checkQueue(queue));
    return { waiting: messageCount, ...(await settingsOf(link, queue)) };
  } catch (error) {
    if (replyCodeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * AMQP has no way to ask for a queue's settings. But a declaration with other settings is refused, changes nothing, and
 * names the first setting that differs with its value: so they are found one by one.
 */
async function settingsOf(link: Link, queue: string): Promise<Omit<QueueFound, 'waiting'>> {
  const flags = { durable: true, autoDelete: false };
  const known: Record<string, string | number | boolean> = {};
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    try {
      const options = { ...flags, arguments: known };
      await link.onChannel((channel) => channel.assertQueue(queue, options));
      return { ...flags, arguments: known };
    } catch (error) {
      // A user that may only read and write may not declare either.
      if (replyCodeOf(error) === ACCESS_REFUSED) break;
      if (replyCodeOf(error) !== PRECONDITION_FAILED) throw error;
      if (!learn(textOf(error), flags, known)) break;
    }
  }
  return { ...flags, arguments: undefined };
}

/** Reads `inequivalent arg 'x-delivery-limit' …: received none but current is the value '5' of type 'signedint'`. */
function learn(
  message: string,
  flags: { durable: boolean; autoDelete: boolean },
  known: Record<string, string | number | boolean>,
): boolean {
  const [, name = '', current = ''] =
    /inequivalent arg '([^']+)'.* but current is (.+?)"?$/s.exec(message) ?? [];
  if (name === 'durable') flags.durable = current.includes('true');
  else if (name === 'auto_delete') flags.autoDelete = current.includes('true');
  else {
    const [, value, type = ''] = /the value '(.*)' of type '(\w+)'/s.exec(current) ?? [];
    if (value === undefined || name in known) return false;
    if (type === 'bool') known[name] = value === 'true';
    else known[name] = /string|str$|binary/.test(type) ? value : Number(value);
  }
  return name !== '';
}

/** The arguments of a queue that Redrive creates: on several nodes, and without a delivery limit. */
export function newQueueArguments(version: string): Record<string, string | number> {
  const hasDefaultLimit = Number.parseInt(version, 10) >= 4;
  return { 'x-queue-type': 'quorum', ...(hasDefaultLimit && { 'x-delivery-limit': -1 }) };
}

type Rule = readonly [applies: boolean, problem: string, remedy: string];

/** All problems of a source. */
export function problemsOf(
  source: BusSource,
  found: QueueFound | undefined,
  version: string,
): BusProblem[] {
  const { name, queue = '' } = source;
  const settings = found?.arguments ?? {};
  const isQuorum = settings['x-queue-type'] === 'quorum';
  const limit = Number(
    settings['x-delivery-limit'] ?? (Number.parseInt(version, 10) >= 4 ? 20 : -1),
  );
  const isLimited = isQuorum && limit >= 0;
  const exchange = settings['x-dead-letter-exchange'];
  const rejects = settings['x-overflow'] === 'reject-publish';
  const drops = ['x-message-ttl', 'x-max-length', 'x-max-length-bytes', 'x-expires'].filter(
    (each) => each in settings && !(rejects && each.startsWith('x-max-length')),
  );
  const isUnsafe = exchange !== undefined && settings['x-dead-letter-strategy'] !== 'at-least-once';
  const atLeastOnce = 'x-dead-letter-strategy: at-least-once and x-overflow: reject-publish';
  const errors: readonly Rule[] = [
    [
      source.stream !== undefined || source.subject !== undefined,
      `Source ${name} has a stream or a subject, as NATS has`,
      'Name a queue.',
    ],
    [queue === '', `Source ${name} has no queue`, 'Name it: queue: parsing.'],
    [queue !== '' && !found, `Queue ${queue} does not exist`, 'Create it: redrive events init.'],
    [
      isLimited && exchange === undefined,
      `Queue ${queue} drops a message after ${limit} deliveries: it has a delivery limit and no dead-letter exchange`,
      'Declare it again with x-delivery-limit: -1 (RabbitMQ 4), without a limit (3), or with a dead-letter exchange.',
    ],
    [
      isUnsafe && (isLimited || drops.length > 0),
      `Queue ${queue} may lose messages on the way to its dead-letter exchange: dead-lettering is at most once`,
      isQuorum
        ? `Declare it again with ${atLeastOnce}.`
        : `Use a quorum queue with ${atLeastOnce}.`,
    ],
  ];
  const warnings: readonly Rule[] = [
    [found?.durable === false, `Queue ${queue} is not durable`, 'Declare it again as durable.'],
    [
      found?.autoDelete === true,
      `Queue ${queue} is deleted with its last consumer`,
      'Declare it again.',
    ],
    [
      drops.length > 0 && exchange === undefined,
      `Queue ${queue} removes messages that nobody has taken (${drops.join(', ')})`,
      'Declare it again without them.',
    ],
    [
      found !== undefined,
      `Policies of queue ${queue} are not visible without the management API: they may limit deliveries or drop messages`,
      'Look at them: rabbitmqctl list_policies.',
    ],
    [
      found !== undefined && found.arguments === undefined,
      `Settings of queue ${queue} are not visible: the server did not name them`,
      'Look at them: rabbitmqctl list_queues name arguments.',
    ],
  ];
  return [...problems('error', errors), ...problems('warning', warnings)];
}

function problems(severity: BusProblem['severity'], rules: readonly Rule[]): BusProblem[] {
  const applying = rules.filter(([applies]) => applies);
  return applying.map(([, problem, remedy]) => ({ severity, problem, remedy }));
}
