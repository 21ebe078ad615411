import { textOf } from '@redrive/durable/store';
import type { Channel } from 'amqplib';
import { closeSoon, type Link, replyCodeOf } from './connection.ts';

const ACCESS_REFUSED = 403;
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 406;
/** Arguments that a server compares, and more. */
const MOST_REFUSALS = 25;

/**
 * A setting that no server accepts for a new queue, and that servers compare last for a quorum queue. So a declaration with
 * it never creates a queue, and its refusal means that all other settings are the right ones.
 */
const IMPOSSIBLE = { name: 'x-queue-leader-locator', value: 'never-create' } as const;

type Settings = Record<string, string | number | boolean>;

/** A queue as it was declared. Policies are not part of it. */
export interface QueueSettings {
  readonly durable: boolean;
  readonly autoDelete: boolean;
  /** Such as `x-queue-type`. Undefined: the server did not say. */
  readonly arguments: Readonly<Settings> | undefined;
}

export interface QueueFound extends QueueSettings {
  readonly waiting: number;
}

/** Looks at one queue. The first look reads its settings; the others only ask how much waits, on the same channel. */
export class QueueLook {
  readonly #link: Link;
  readonly #queue: string;
  #channel: Promise<Channel> | undefined;
  #settings: QueueSettings | undefined;

  constructor(link: Link, queue: string) {
    this.#link = link;
    this.#queue = queue;
  }

  /** Undefined: the queue does not exist. */
  async look(signal: AbortSignal): Promise<QueueFound | undefined> {
    this.#channel ??= this.#open();
    const channel = this.#channel;
    // A channel that has not answered in time may never answer again.
    signal.addEventListener('abort', () => this.#leave(channel), { once: true });
    try {
      const { messageCount } = await (await channel).checkQueue(this.#queue);
      this.#settings ??= await settingsOf(this.#link, this.#queue);
      return this.#settings && { waiting: messageCount, ...this.#settings };
    } catch (error) {
      this.#leave(channel);
      if (replyCodeOf(error) === NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** The next look reads the settings again: the queue may have been deleted and declared in another way. */
  forget(): void {
    this.#settings = undefined;
  }

  async #open(): Promise<Channel> {
    const channel = await (await this.#link.get()).createChannel();
    const opened = this.#channel;
    // The failed call rejects with the same error.
    channel.on('error', () => {});
    channel.on('close', () => {
      if (opened !== undefined) this.#leave(opened);
    });
    return channel;
  }

  #leave(channel: Promise<Channel>): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    this.#settings = undefined;
    void channel.then(closeSoon, () => {});
  }
}

/**
 * AMQP has no way to ask for a queue's settings. But a declaration with other settings is refused, changes nothing, and
 * names the first setting that differs with its value: so they are found one by one. Undefined: the queue does not exist.
 */
export async function settingsOf(link: Link, queue: string): Promise<QueueSettings | undefined> {
  const flags = { durable: true, autoDelete: false };
  const known: Settings = {};
  for (let refusals = 0; refusals < MOST_REFUSALS; refusals++) {
    try {
      const options = { ...flags, arguments: { ...known, [IMPOSSIBLE.name]: IMPOSSIBLE.value } };
      await link.onChannel((channel) => channel.assertQueue(queue, options));
      // It exists with these settings, and this server does not compare the impossible one for its type.
      return { ...flags, arguments: known };
    } catch (error) {
      // A user that may only read and write may not declare either.
      if (replyCodeOf(error) === ACCESS_REFUSED) break;
      if (replyCodeOf(error) !== PRECONDITION_FAILED) throw error;
      const text = textOf(error);
      if (text.includes("- invalid arg '")) return undefined;
      if (text.includes(`'${IMPOSSIBLE.name}'`)) return { ...flags, arguments: known };
      if (!learn(text, flags, known)) break;
    }
  }
  return { ...flags, arguments: undefined };
}

/** Reads `inequivalent arg 'x-delivery-limit' …: received none but current is the value '5' of type 'signedint'`. */
function learn(
  message: string,
  flags: { durable: boolean; autoDelete: boolean },
  known: Settings,
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
