import type { Clock, Timer } from '@redrive/core';
import type { Order } from './order-rows.ts';

/** The service that packs and ships orders. It has them in memory alone, so its crash loses them without a word. */
export interface Packer {
  /** @throws Error while it starts again. */
  take(order: Order): void;
  /** How often it has crashed. */
  readonly crashes: number;
  close(): void;
}

const PACKING_MS = 1_200;
const RESTART_MS = 800;

/** @param ship called with the id of an order that is packed. */
export function packer(
  clock: Clock,
  ship: (id: string) => void,
  onCrash: (order: string, lost: readonly string[]) => void,
): Packer {
  const held = new Map<string, Timer>();
  let crashes = 0;
  let readyMs = -Infinity;

  function crash(by: string): void {
    crashes += 1;
    readyMs = clock.monotonic() + RESTART_MS;
    for (const timer of held.values()) timer.cancel();
    const lost = [...held.keys()];
    held.clear();
    onCrash(by, lost);
  }

  return {
    get crashes() {
      return crashes;
    },
    take({ id, isGlass }) {
      if (clock.monotonic() < readyMs) throw refused();
      held.get(id)?.cancel();
      const timer = clock.setTimer(PACKING_MS, () => {
        if (isGlass) return crash(id);
        held.delete(id);
        ship(id);
      });
      held.set(id, timer);
    },
    close() {
      for (const timer of held.values()) timer.cancel();
      held.clear();
    },
  };
}

function refused(): Error {
  const message = 'the packing service refuses connections';
  return Object.assign(new Error(message), { code: 'ECONNREFUSED' });
}
