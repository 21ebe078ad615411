import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { submitOperation } from '@redrive/durable/control';
import { actOnEscalation, readEscalations } from '@redrive/durable/escalation';
import { rulesOf } from '../../escalation/escalations.ts';
import type { OrderRows } from './order-rows.ts';
import { SHOP, SWEPT } from './shop-config.ts';

const ANN = 'demo:ann';
/** The time that Ann needs for an answer, a repair, a correction. */
const ANSWER_MS = 6_000;
const LOOK_MS = 3_000;
const REPAIR_EVERY_MS = 18_000;
const CORRECT_EVERY_MS = 40_000;
const MOST = 1_000;

interface PeopleParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly config: Config;
  readonly rows: OrderRows;
  /** Called with what Ann has done, in a sentence. */
  readonly tell: (text: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The person on call of the shop: she acknowledges what she is paged for, repairs the machine that glass breaks, has wrong
 * figures corrected, and requeues what died of them. Returns how to stop her.
 */
export function personOnCall(parts: PeopleParts): () => Promise<void> {
  const { store, clock, config, rows, tell, onError } = parts;
  let repairedMs = clock.monotonic();
  let correctedMs = clock.monotonic();
  let stopped = false;
  let looking = Promise.resolve();
  let timer = clock.setTimer(LOOK_MS, next);

  function next(): void {
    looking = look()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = clock.setTimer(LOOK_MS, next);
      });
  }

  async function look(): Promise<void> {
    await acknowledge();
    const nowMs = clock.monotonic();
    if (nowMs - repairedMs >= REPAIR_EVERY_MS) {
      repairedMs = nowMs;
      const repaired = rows.repair();
      const orders = repaired === 1 ? '1 order' : `${repaired} orders`;
      if (repaired > 0) {
        await requeue(SWEPT, 'the machine packs glass now', 1);
        tell(`ann repaired the machine and requeues ${orders}`);
      }
    }
    if (nowMs - correctedMs < CORRECT_EVERY_MS) return;
    correctedMs = nowMs;
    // One at a time, so that there is time to watch, to pause and to abort it.
    await requeue(SHOP.report, 'the figures are corrected', 1, 1);
    tell('ann had the figures corrected and requeues the reports');
  }

  async function acknowledge(): Promise<void> {
    const { escalations, nowMs } = await readEscalations(store, rulesOf(config));
    const open = escalations.find(
      ({ tier, document }) =>
        tier >= 3 &&
        nowMs - (document?.raisedAtMs ?? nowMs) >= ANSWER_MS &&
        (document?.acknowledged?.tier ?? 0) < tier,
    );
    if (open === undefined) return;
    const { key, tier, title } = open;
    const actor = { name: ANN, why: 'I look at it' };
    await actOnEscalation(store, { key, tier, act: 'acknowledge', actor });
    tell(`ann acknowledged tier ${tier} of ${title}`);
  }

  async function requeue(handler: string, why: string, rate: number, atOnce?: number) {
    await submitOperation(store, {
      id: `${handler}-${new Date(clock.now()).toISOString()}`,
      act: 'requeue',
      target: { filter: { handler }, limit: MOST },
      ratePerSecond: rate,
      ramp: false,
      ...(atOnce !== undefined && { maxInFlight: atOnce }),
      actor: { name: ANN, why },
    });
  }

  return async () => {
    stopped = true;
    timer.cancel();
    await looking;
  };
}
