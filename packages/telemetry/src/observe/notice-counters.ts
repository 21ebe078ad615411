import type { Notice } from '@redrive/durable';
import type { Registry } from '../registry/registry.ts';

/** Counts the notices of a worker. The handlers that it starts with become known operations. */
export class NoticeCounters {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
    registry.family('redrive_store_up').number().value = 1;
  }

  count(notice: Notice): void {
    const registry = this.#registry;
    registry.family('redrive_notices_total').number(notice.kind).value += 1;
    switch (notice.kind) {
      case 'started':
        registry.learn('operations', notice.handlers);
        break;
      case 'rescued':
        registry.family('redrive_lease_losses_total').number(notice.handler).value += 1;
        break;
      case 'expired':
        for (const { handler, count } of notice.jobs) {
          registry.add('redrive_operations_total', [handler, 'expired'], count);
          registry.add('redrive_dead_letters_added_total', [handler, 'ttl_exceeded'], count);
        }
        break;
      case 'letters_removed':
        for (const [act, count] of Object.entries(notice.removed)) {
          registry.add('redrive_dead_letters_removed_total', [act], count);
        }
        break;
      case 'stale_settlement':
        registry.family('redrive_stale_writes_refused_total').number().value += 1;
        break;
      case 'store_unavailable':
        registry.family('redrive_store_up').number().value = 0;
        break;
      case 'store_back':
        registry.family('redrive_store_up').number().value = 1;
        break;
    }
  }
}
