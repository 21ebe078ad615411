import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Clock,
  type EventSink,
  isRetryError,
  type ResolvedPolicy,
  retry,
} from '@redrive/core';
import { type FullStore, final, type JobContext, jobsOn } from '@redrive/durable';
import type { OwnDocuments } from '@redrive/durable/documents';
import { type Bus, RetryableError } from '@redrive/durable/events';
import type { LoadedHandlers } from '../../start/load-handlers.ts';
import type { Order, OrderRows } from './order-rows.ts';
import { type Packer, packer } from './packer.ts';
import { MISSING_FILE, ORDERS, SHOP } from './shop-config.ts';

interface ShopParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly rows: OrderRows;
  readonly orders: OwnDocuments;
  /** The address of the payment service. */
  readonly payments: string;
  readonly policies: (name: string) => ResolvedPolicy | undefined;
  /** The receiver of the records of calls. */
  readonly events: EventSink;
  /** Where the missing file would be. */
  readonly directory: string;
  readonly onCrash: (order: string, lost: readonly string[]) => void;
}

/** The shop: an application with calls, events, jobs and documents, as its developers would write it. */
export interface Shop {
  readonly handlers: LoadedHandlers;
  readonly packer: Packer;
  /** A customer places an order. Rejects where it was neither taken nor handed over. */
  placeOrder(signal?: AbortSignal): Promise<void>;
  close(): void;
}

const MAILS = ['ada', 'alan', 'edsger', 'grace', 'barbara', 'donald', 'tony', 'leslie'];
/** A wait above this is not waited for in process: the call goes on as a job. */
const HORIZON_MS = 2_000;

type OrderEvent = { readonly data: { readonly order_id: string }; readonly retry_sweep?: unknown };
type OrderJob = { readonly order: string };

export function openShop(parts: ShopParts): Shop {
  const { store, clock, bus, rows, orders, payments, policies, events, directory } = parts;
  const packing = packer(
    clock,
    // A store that is away for a moment leaves the order packed and not shipped: a sweep finds it.
    (id) => void orders.succeed(id).catch(() => undefined),
    parts.onCrash,
  );

  /** @throws Error with the status of an answer that is none of success. */
  async function post(path: string, signal: AbortSignal): Promise<void> {
    const response = await fetch(`${payments}/${path}`, { method: 'POST', signal });
    await response.arrayBuffer();
    if (response.ok) return;
    const { status, headers } = response;
    throw Object.assign(new Error(`POST /${path} answered ${status}`), { status, headers });
  }

  /** The event that begins an order's way through the shop. */
  async function publish({ order: id }: OrderJob): Promise<void> {
    const event = { event_type: 'OrderPlaced', data: { order_id: id } };
    const headers = { 'redrive-session': id };
    const body = Buffer.from(JSON.stringify(event));
    await bus.publish([{ destination: ORDERS.subject, body, headers, id }]);
  }

  const run = {
    [SHOP.order]: async (event: OrderEvent, context: JobContext) => {
      const { order_id: id } = event.data;
      const order = rows.order(id);
      if (order === undefined) return 'the order does not exist any more';
      // Once per event, or each of its retries would count as an attempt at the order.
      if (context.attempt === 1 && !(await orders.begin(id, event)).begun) return 'it is shipped';
      await work(clock, context, 120);
      if (event.retry_sweep === undefined && context.attempt <= stockFailures(order)) {
        throw new RetryableError(`the stock of ${id} is locked by another order`);
      }
      const options = { correlationId: context.correlationId, uniqueKey: `charge ${id}` };
      await jobs.enqueue(SHOP.charge, { order: id }, { ...options, onConflict: 'existing' });
    },
    [SHOP.authorize]: async ({ order }: OrderJob, { signal }: JobContext) => {
      await post(`authorize/${order}`, signal);
      await publish({ order });
    },
    [SHOP.charge]: async ({ order: id }: OrderJob, context: JobContext) => {
      await post(`charge/${id}`, context.signal);
      const order = rows.order(id);
      if (order === undefined || order.status === 'shipped') return 'nothing to pack';
      packing.take(order);
      const name = MAILS[order.n % MAILS.length] ?? 'ada';
      const { correlationId } = context;
      const mail = { to: `${name}@example.org`, order: id, failures: order.n % 3 };
      // The mail and the report of an order exist once, however often it is charged.
      const once = (key: string) => ({ correlationId, id: `${key}-${id}` });
      await jobs.enqueue(SHOP.mail, mail, once('mail'));
      if (order.n % 2 === 0) {
        await jobs.enqueue(SHOP.report, { day: order.n }, once('report'));
      }
      if (order.n % 8 === 1) {
        await jobs.enqueue(SHOP.import, { rows: 100 + order.n }, once('import'));
      }
      return 'charged';
    },
    [SHOP.mail]: async (
      { to, failures }: { to: string; failures: number },
      context: JobContext,
    ) => {
      await work(clock, context, 150);
      if (context.attempt <= failures) throw new Error('connection reset by mail.example.org');
      return { delivered_to: to };
    },
    [SHOP.report]: async ({ day }: { day: number }, context: JobContext) => {
      await work(clock, context, context.generation > 1 ? 1_500 : 200);
      // People correct the figures before they requeue it.
      if (context.generation === 1) throw new Error(`the figures of day ${day} do not add up`);
      return { day };
    },
    [SHOP.import]: async ({ rows: count }: { rows: number }, context: JobContext) => {
      await work(clock, context, 50);
      return existsSync(join(directory, MISSING_FILE))
        ? { imported: count }
        : final(`${MISSING_FILE} does not exist: create it and requeue this job`);
    },
  };
  const jobs = jobsOn(store, run, { clock, policies, log: 'off' });

  const patience = { ...policies('shop.authorize'), horizonMs: HORIZON_MS };

  return {
    handlers: run as unknown as LoadedHandlers,
    packer: packing,
    async placeOrder(signal) {
      const { id } = rows.place(clock.now());
      rows.prune(clock.now());
      const handOver = { to: jobs.handOver, handler: SHOP.authorize, payload: { order: id } };
      try {
        await retry(({ signal }) => post(`authorize/${id}`, signal), patience, {
          ...{ clock, events, handOver, correlationId: id, ...(signal && { signal }) },
          operation: 'POST /authorize',
        });
      } catch (error) {
        // The job publishes the event.
        if (isRetryError(error, 'handed_over')) return;
        throw error;
      }
      await publish({ order: id });
    },
    close: () => packing.close(),
  };
}

function stockFailures({ n, isGlass }: Order): number {
  return isGlass ? 2 : n % 4 === 1 ? 1 : 0;
}

/** Takes its time, unless its signal aborts. */
function work(clock: Clock, { signal }: JobContext, durationMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.setTimer(durationMs, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    signal.addEventListener('abort', end, { once: true });
  });
}
