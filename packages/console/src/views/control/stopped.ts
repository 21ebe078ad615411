import type {
  BreakersListAnswer,
  GatesListAnswer,
  KillListAnswer,
  ParkListAnswer,
  QueuesListAnswer,
} from '@redrive/client';
import { client } from '../../api.ts';

/** Everything that stops work. */
export interface Stopped {
  readonly kills: KillListAnswer['engaged'];
  readonly breakers: BreakersListAnswer['breakers'];
  readonly parks: ParkListAnswer['causes'];
  readonly gates: GatesListAnswer['gates'];
  readonly queues: QueuesListAnswer;
}

export type Kill = Stopped['kills'][number];
export type Breaker = Stopped['breakers'][number];
export type Park = Stopped['parks'][number];
export type Gate = Stopped['gates'][number];
export type Pause = Stopped['queues']['paused'][number];

export async function readStopped(signal: AbortSignal): Promise<Stopped> {
  const [{ engaged }, { breakers }, { causes }, { gates }, queues] = await Promise.all([
    client.kill.list({}, { signal }),
    client.breakers.list({}, { signal }),
    client.park.list({}, { signal }),
    client.gates.list({}, { signal }),
    client.queues.list({}, { signal }),
  ]);
  return { kills: engaged, breakers, parks: causes, gates, queues };
}

export function gateKey({ dependency, credential, tenant }: Gate): string {
  return JSON.stringify([dependency, credential ?? '', tenant ?? '']);
}
