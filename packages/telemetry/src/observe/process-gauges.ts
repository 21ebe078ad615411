import { readFileSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: it measures the event loop itself, and no clock can do that.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LAGS } from '../catalogue/labels.ts';
import type { Registry } from '../registry/registry.ts';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Measures the process. */
export class ProcessGauges {
  readonly #registry: Registry;
  readonly #delays: ReturnType<typeof monitorEventLoopDelay>;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delays.enable();
    registry.family('redrive_build_info').number(ownVersion(), process.versions.node).value = 1;
  }

  /** Sets the delays since the call before. */
  read(): void {
    const family = this.#registry.family('redrive_event_loop_lag_seconds');
    const nanoseconds = {
      median: this.#delays.percentile(50),
      p99: this.#delays.percentile(99),
      max: this.#delays.max,
    };
    for (const stat of LAGS) {
      // A measured delay has the timer's own interval in it.
      const seconds = nanoseconds[stat] / NANOSECONDS - RESOLUTION_MS / 1_000;
      family.number(stat).value = Math.max(0, seconds);
    }
    this.#delays.reset();
  }

  close(): void {
    this.#delays.disable();
  }
}

function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
