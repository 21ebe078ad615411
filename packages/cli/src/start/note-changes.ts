import type { ConfigChange } from '@redrive/config';
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
      const { file: subject } = change;
      // A store that is away says so itself, and the change is in the process's own log.
      void store
        ?.apply([{ kind: 'note', event: 'config', subject, detail: JSON.stringify(change) }])
        .catch(() => undefined);
    },
    writeTo(opened) {
      store = opened;
    },
  };
}
