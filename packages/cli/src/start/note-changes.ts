import type { ConfigChange } from '@redrive/config';
import { redact } from '@redrive/durable';
import type { Store } from '@redrive/durable/store';

/** Writes changes of the configuration into the audit log, once there is a store. */
export interface ChangeNotes {
  readonly note: (change: ConfigChange) => void;
  writeTo(store: Store): void;
}

export function noteChanges(): ChangeNotes {
  let store: Store | undefined;
  return {
    note(change) {
      const { file: subject, diff } = change;
      const detail = JSON.stringify({ ...change, diff: redact(diff) });
      // A store that is away says so itself, and the change is in the process's own log.
      void store
        ?.apply([{ kind: 'note', event: 'config', subject, detail }])
        .catch(() => undefined);
    },
    writeTo(opened) {
      store = opened;
    },
  };
}
