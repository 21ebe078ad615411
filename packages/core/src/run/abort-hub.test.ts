import { countAbortListeners } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import { type Abortable, abortHubOf } from './abort-hub.ts';

/** Something that waits for an abort and notes what it is told. */
function watcher() {
  const reasons: unknown[] = [];
  const abortable = { aborted: (reason: unknown) => void reasons.push(reason) } as Abortable;
  abortable.before = abortable;
  abortable.after = abortable;
  return { abortable, reasons };
}

/** Watches a signal for a moment. */
function use(signal: AbortSignal) {
  const { abortable } = watcher();
  abortHubOf(signal).watch(abortable);
  abortHubOf(signal).unwatch(abortable);
}

const noListenersLeft = (signal: AbortSignal) =>
  vi.waitFor(() => expect(countAbortListeners(signal)).toBe(0), { interval: 1 });

describe('the hub of a signal', () => {
  it('is one for each signal, also when signals take turns', () => {
    const [a, b] = [new AbortController().signal, new AbortController().signal];
    const [hubOfA, hubOfB] = [abortHubOf(a), abortHubOf(b)];
    expect(hubOfA).not.toBe(hubOfB);
    expect([abortHubOf(a), abortHubOf(b), abortHubOf(b)]).toEqual([hubOfA, hubOfB, hubOfB]);
    expect(abortHubOf(a)).toBe(hubOfA);
  });

  it('tells everybody who watches, once, in their order', () => {
    const controller = new AbortController();
    const hub = abortHubOf(controller.signal);
    const [one, two, gone] = [watcher(), watcher(), watcher()];
    for (const { abortable } of [one, two, gone]) hub.watch(abortable);
    expect(countAbortListeners(controller.signal)).toBe(1);
    hub.unwatch(gone.abortable);
    controller.abort('user left');
    expect([one.reasons, two.reasons, gone.reasons]).toEqual([['user left'], ['user left'], []]);
  });

  it('lets go of the signal at once after its first use', () => {
    const { signal } = new AbortController();
    const [one, two] = [watcher(), watcher()];
    abortHubOf(signal).watch(one.abortable);
    abortHubOf(signal).watch(two.abortable);
    abortHubOf(signal).unwatch(one.abortable);
    expect(countAbortListeners(signal)).toBe(1);
    abortHubOf(signal).unwatch(two.abortable);
    expect(countAbortListeners(signal)).toBe(0);
  });

  it('lets go of a signal that is used again in the next turn', async () => {
    const { signal } = new AbortController();
    use(signal);
    use(signal);
    // Still there: calls that follow one another need no listener each.
    expect(countAbortListeners(signal)).toBe(1);
    use(signal);
    expect(countAbortListeners(signal)).toBe(1);
    await noListenersLeft(signal);
  });

  it('does not mind one who leaves twice, or never came', async () => {
    const { signal } = new AbortController();
    const [one, two] = [watcher(), watcher()];
    use(signal);
    const hub = abortHubOf(signal);
    hub.watch(one.abortable);
    hub.unwatch(one.abortable);
    hub.unwatch(one.abortable);
    hub.unwatch(two.abortable);
    await noListenersLeft(signal);
    hub.unwatch(one.abortable);
    expect(countAbortListeners(signal)).toBe(0);
  });

  it('stays when somebody watches again before the turn is over', async () => {
    const [controller, other] = [new AbortController(), new AbortController()];
    for (const { signal } of [controller, other]) use(signal);
    use(controller.signal);
    const { abortable, reasons } = watcher();
    abortHubOf(controller.signal).watch(abortable);
    use(other.signal);
    // When the other one has had its turn, this one has had it too.
    await noListenersLeft(other.signal);
    expect(countAbortListeners(controller.signal)).toBe(1);
    controller.abort('user left');
    expect(reasons).toEqual(['user left']);
    expect(countAbortListeners(controller.signal)).toBe(0);
  });

  it('lets a watcher that is told take others along', () => {
    const controller = new AbortController();
    const hub = abortHubOf(controller.signal);
    const [one, two] = [watcher(), watcher()];
    one.abortable.aborted = () => hub.unwatch(two.abortable);
    hub.watch(one.abortable);
    hub.watch(two.abortable);
    controller.abort();
    expect(two.reasons).toEqual([]);
  });
});
