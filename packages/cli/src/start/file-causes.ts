import { type Config, causesSettings, localActor } from '@redrive/config';
import type { Clock, Timer } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { applyFileRules } from '@redrive/durable/dead-letters';
import type { Log } from '../log/worker-log.ts';

/** Puts the rules of causes of the configuration in force, and follows the file. */
interface FileCauses {
  /** The configuration has changed. */
  changed(): void;
  close(): Promise<void>;
}

const AGAIN_MS = 5_000;

interface FileCausesParts {
  readonly store: FullStore;
  readonly current: () => Config;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A worker that starts with a file without rules leaves those of the store in force: they may be of another file. A file that
 * loses its last rule while the worker runs takes them out of force.
 */
export function fileCauses({ store, current, clock, log }: FileCausesParts): FileCauses {
  let wanted = causesSettings(current());
  let isApplied = wanted.length === 0;
  let timer: Timer | undefined;
  let applying = Promise.resolve();
  let closed = false;

  async function apply(): Promise<void> {
    timer?.cancel();
    if (closed || isApplied) return;
    const rules = wanted;
    try {
      const actor = { name: localActor(), why: `rules of ${current().file ?? 'redrive.yaml'}` };
      const operation = await applyFileRules(store, { rules, actor });
      isApplied = rules === wanted;
      const text = `Rules of causes in force: ${rules.length}`;
      log.info({ event: 'causes.applied', rules: rules.length, operation }, text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(
        { event: 'causes.not_applied', reason },
        `The rules of causes are not in force: ${reason}`,
      );
      timer = clock.setTimer(AGAIN_MS, next);
    }
  }

  function next(): void {
    applying = applying.then(apply);
  }

  next();
  return {
    changed() {
      const rules = causesSettings(current());
      if (JSON.stringify(rules) === JSON.stringify(wanted)) return;
      wanted = rules;
      isApplied = false;
      next();
    },
    close() {
      closed = true;
      timer?.cancel();
      return applying;
    },
  };
}
