import type { Answers } from '@redrive/server/client';
import { get } from '../../api.ts';

/** Everything that stops work. */
export interface Stopped {
  readonly kills: Answers['/v1/kill-switches']['engaged'];
  readonly breakers: Answers['/v1/breakers']['breakers'];
  readonly parks: Answers['/v1/parks']['causes'];
  readonly gates: Answers['/v1/gates']['gates'];
  readonly queues: Answers['/v1/queues'];
}

export type Kill = Stopped['kills'][number];
export type Breaker = Stopped['breakers'][number];
export type Park = Stopped['parks'][number];
export type Gate = Stopped['gates'][number];
export type Pause = Stopped['queues']['paused'][number];

export async function readStopped(signal: AbortSignal): Promise<Stopped> {
  const [{ engaged }, { breakers }, { causes }, { gates }, queues] = await Promise.all([
    get('/v1/kill-switches', {}, signal),
    get('/v1/breakers', {}, signal),
    get('/v1/parks', {}, signal),
    get('/v1/gates', {}, signal),
    get('/v1/queues', {}, signal),
  ]);
  return { kills: engaged, breakers, parks: causes, gates, queues };
}

export function gateKey({ dependency, credential, tenant }: Gate): string {
  return JSON.stringify([dependency, credential ?? '', tenant ?? '']);
}
