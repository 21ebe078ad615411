import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Command, Result, ResultsOf } from '@redrive/durable/store';
import { withMethods } from '../../crash/observed-store.ts';
import type { Looks } from './looks.ts';

/** What the store has accepted, and the leases that it has given. */
export interface Observed {
  readonly store: FullStore;
  /** Jobs in the order in which they were accepted. */
  readonly accepted: readonly string[];
}

interface Lease {
  readonly token: number;
  untilMs: number;
}

/** Watches every answer of a store: one live lease per job, tokens that rise, old ones that are refused. */
export function observed(store: FullStore, clock: Clock, looks: Looks): Observed {
  const accepted: string[] = [];
  const leases = new Map<string, Lease>();
  const tokens = new Map<string, number>();

  function note(command: Command, result: Result | undefined): void {
    const nowMs = clock.now();
    if (command.kind === 'enqueue' && result && 'outcome' in result && 'id' in result) {
      if (result.ok && result.outcome === 'created') accepted.push(result.id);
    }
    if (command.kind === 'claim' && result && 'jobs' in result) {
      for (const { id, token, lease } of result.jobs) {
        const before = leases.get(id);
        const isFree = before === undefined || before.untilMs <= nowMs;
        looks.hold(3, isFree, () => `${id} has two live leases at ${nowMs}`);
        const highest = tokens.get(id) ?? 0;
        looks.hold(3, token > highest, () => `${id}: token ${token} after ${highest}`);
        tokens.set(id, token);
        leases.set(id, { token, untilMs: lease.untilMs });
      }
    }
    if (command.kind === 'settle' && result) {
      const { id, token } = command.settlement;
      const isCurrent = leases.get(id)?.token === token;
      looks.hold(
        3,
        isCurrent || !result.ok,
        () => `${id}: a write with old token ${token} was accepted`,
      );
      if (result.ok) leases.delete(id);
    }
  }

  const watched = withMethods(store, {
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const results = await store.apply(commands);
      // One result per command.
      for (const [at, command] of commands.entries())
        note(command, (results as readonly Result[])[at]);
      return results;
    },
    async heartbeat(refs, leaseMs) {
      const answers = await store.heartbeat(refs, leaseMs);
      for (const [at, { id, token }] of refs.entries()) {
        const lease = leases.get(id);
        const isOwn = lease?.token === token;
        looks.hold(
          3,
          isOwn || answers[at] === 'lost',
          () => `${id}: old token ${token} was extended`,
        );
        if (isOwn && answers[at] !== 'lost') lease.untilMs = clock.now() + leaseMs;
      }
      return answers;
    },
  });
  return { store: watched, accepted };
}
