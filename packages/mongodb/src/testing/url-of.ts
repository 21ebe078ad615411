import { newId, systemClock } from '@redrive/core';
import type { MongodbService } from '@redrive/testkit/services';

/** The URL of a database on the server. */
export function urlOf({ url }: Pick<MongodbService, 'url'>, database: string): string {
  const [, server, rest = ''] = /^(mongodb:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${server}/${database}${rest}`;
}

/** A name that no other test has, also on a server that tests share. */
export function newDatabase(): string {
  return newId('redrive', systemClock);
}
