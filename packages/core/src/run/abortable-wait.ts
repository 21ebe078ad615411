import { type AbortEntry, type AbortHub, abortHubOf } from './abort-hub.ts';

/** A wait that the caller's signal can end. Exactly one of two things happens: `onAbort`, or `over()` answers true. */
export class AbortableWait implements AbortEntry {
  abortHub: AbortHub | undefined = undefined;
  abortBefore: AbortEntry | undefined = undefined;
  abortAfter: AbortEntry | undefined = undefined;
  private readonly onAbort: (reason: unknown) => void;

  constructor(signal: AbortSignal, onAbort: (reason: unknown) => void) {
    this.onAbort = onAbort;
    abortHubOf(signal).add(this);
  }

  /** The time is up. `false` when the wait was aborted before. */
  over(): boolean {
    if (this.abortHub === undefined) return false;
    this.abortHub.remove(this);
    return true;
  }

  aborted(reason: unknown): void {
    this.onAbort(reason);
  }
}
