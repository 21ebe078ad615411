import { type Config, type ConfigChange, type LastChange, localActor } from '@redrive/config';
import type { Clock, Timer } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { type NoteCommand, redact } from '@redrive/durable/store';
import type { Log } from '../log/worker-log.ts';

/** Writes the configuration in force, and every change of it, into the audit log, once there is a store. */
interface ChangeNotes {
  readonly note: (change: ConfigChange) => void;
  /** From here on there is a store; what is in force is its first note. */
  writeTo(store: Pick<Store, 'apply'>, config: Config, lastChange?: LastChange): void;
  /** Ends it. What could not be written is in the process's own log. */
  close(): void;
}

/** The user that changed a file is not known from the file. */
const UNKNOWN = 'unknown';
const AGAIN_MS = 5_000;
/** Changes that wait for a store that is away. */
const MAX_WAITING = 100;

export function noteChanges(clock: Clock, log: Log): ChangeNotes {
  let store: Pick<Store, 'apply'> | undefined;
  let waiting: NoteCommand[] = [];
  let timer: Timer | undefined;
  let writing = false;

  function add(subject: string, detail: object): void {
    if (waiting.length >= MAX_WAITING) waiting.shift();
    waiting.push({ kind: 'note', event: 'config', subject, detail: JSON.stringify(detail) });
    void write();
  }

  async function write(): Promise<void> {
    if (store === undefined || writing || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    writing = true;
    try {
      await store.apply(batch);
    } catch {
      // A store that is away says so itself; it is asked again.
      waiting = [...batch, ...waiting].slice(-MAX_WAITING);
      timer?.cancel();
      timer = clock.setTimer(AGAIN_MS, () => void write());
    } finally {
      writing = false;
    }
  }

  return {
    note: (change) =>
      add(change.file, { by: change.actor ?? UNKNOWN, ...change, diff: redact(change.diff) }),
    writeTo(opened, { file = 'presets', hash }, lastChange) {
      store = opened;
      add(file, {
        by: localActor(),
        cause: 'start',
        file,
        hash_after: hash,
        last_change: lastChange,
      });
    },
    close() {
      store = undefined;
      timer?.cancel();
      if (waiting.length === 0) return;
      const text = `${waiting.length} changes of the configuration could not be written to the audit log`;
      log.warn({ event: 'config.not_noted', changes: waiting.length }, text);
    },
  };
}
