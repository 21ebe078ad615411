import type { Store } from '@redrive/durable';
import type { Command, Result, ResultsOf, SettleCommand } from '@redrive/durable/store';
import type { Evidence } from './evidence.ts';

/** The store, with a note of every answer to the end of an attempt. */
export function observedStore(store: Store, evidence: Evidence, worker: string): Store {
  return {
    ...delegate(store),
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      // Before anybody else may change them: another decorator writes new tokens into what it passes on.
      const settlements = commands.map((command) => (isEnd(command) ? command.settlement : null));
      const results = await store.apply(commands);
      for (const [index, settlement] of settlements.entries()) {
        if (settlement === null) continue;
        const { id, token, to } = settlement;
        const result = (results as readonly Result[])[index];
        const refusal = result && 'refusal' in result ? { refusal: result.refusal } : {};
        evidence.endings.write({ id, worker, token, to, ...refusal, atMs: Date.now() });
      }
      return results;
    },
  };
}

/**
 * The store without fencing: every end of an attempt is written under whatever token the job has, and no heartbeat says
 * that a lease is lost. With it the harness must find violations, or it finds none at all.
 */
export function unfencedStore(store: Store): Store {
  return {
    ...delegate(store),
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const changed: Command[] = await Promise.all(
        commands.map((command) => (isEnd(command) ? withCurrentToken(store, command) : command)),
      );
      // The same commands, so the same kinds of results.
      return (await store.apply(changed)) as unknown as ResultsOf<Cs>;
    },
    async heartbeat(leases, leaseMs) {
      const answers = await store.heartbeat(leases, leaseMs);
      return answers.map((answer) => (answer === 'lost' ? 'held' : answer));
    },
  };
}

async function withCurrentToken(store: Store, command: SettleCommand): Promise<SettleCommand> {
  const { settlement } = command;
  const token = (await store.job(settlement.id))?.token ?? settlement.token;
  return { ...command, settlement: { ...settlement, token } };
}

function isEnd(command: Command): command is SettleCommand {
  return command.kind === 'settle' && command.settlement.by === 'held';
}

/** A store may be an object of a class, whose methods a spread would leave behind. */
export function delegate(store: Store): Store {
  return {
    name: store.name,
    apply: (commands) => store.apply(commands),
    heartbeat: (leases, leaseMs) => store.heartbeat(leases, leaseMs),
    expiredLeases: (limit) => store.expiredLeases(limit),
    leasesOf: (worker, limit) => store.leasesOf(worker, limit),
    pulse: (handlers) => store.pulse(handlers),
    job: (id) => store.job(id),
    finished: (ids) => store.finished(ids),
    jobs: (filter, page) => store.jobs(filter, page),
    counts: () => store.counts(),
    pauses: () => store.pauses(),
    registerPolicies: (policies) => store.registerPolicies(policies),
    policy: (hash) => store.policy(hash),
    auditBlocks: (after, limit) => store.auditBlocks(after, limit),
    recordSizes: () => store.recordSizes(),
    watch: (listener) => store.watch(listener),
    committed: () => store.committed(),
    close: () => store.close(),
  };
}
