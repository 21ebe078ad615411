import type { BusProblem, BusSource } from '@redrive/durable/events';
import { type BusRule, busProblems } from '@redrive/durable/store';
import type { QueueFound } from './queue-look.ts';

/** The arguments of a queue that Redrive creates: on several nodes, and without a delivery limit. */
export function newQueueArguments(version: string): Record<string, string | number> {
  const hasDefaultLimit = Number.parseInt(version, 10) >= 4;
  return { 'x-queue-type': 'quorum', ...(hasDefaultLimit && { 'x-delivery-limit': -1 }) };
}

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
  const errors: readonly BusRule[] = [
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
  const warnings: readonly BusRule[] = [
    [
      isLimited && exchange !== undefined && !isUnsafe,
      `Queue ${queue} dead-letters a message after ${limit} deliveries: RabbitMQ ends retries that Redrive should decide`,
      'Declare it again with x-delivery-limit: -1 (RabbitMQ 4), or without a limit (3).',
    ],
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
  return [...busProblems('error', errors), ...busProblems('warning', warnings)];
}
