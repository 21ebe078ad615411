import type { FullStore } from '@redrive/durable';
import type { Command, Result, ResultsOf, SettleCommand } from '@redrive/durable/store';
import type { Evidence } from './evidence.ts';

/** The store, with a note of every answer to the end of an attempt. */
export function observedStore(store: FullStore, evidence: Evidence, worker: string): FullStore {
  return withMethods(store, {
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
  });
}

/**
 * The store without fencing: every end of an attempt is written under whatever token the job has, and no heartbeat says
 * that a lease is lost. With it the harness must find violations, or it finds none at all.
 */
export function unfencedStore(store: FullStore): FullStore {
  return withMethods(store, {
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
  });
}

async function withCurrentToken(store: FullStore, command: SettleCommand): Promise<SettleCommand> {
  const { settlement } = command;
  const token = (await store.job(settlement.id))?.token ?? settlement.token;
  return { ...command, settlement: { ...settlement, token } };
}

function isEnd(command: Command): command is SettleCommand {
  return command.kind === 'settle' && command.settlement.by === 'held';
}

/** A store, bus or other port with some of its methods replaced. A spread would leave those of a class behind. */
export function withMethods<T extends object>(port: T, methods: Partial<T>): T {
  return new Proxy(port, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
