import {
  type Breaker,
  type Budget,
  circuitBreaker,
  type ResolvedPolicy,
  retryBudget,
} from '@redrive/core';
import { Draws } from '../chance/draws.ts';
import type { Scope } from '../scene/scene.ts';
import { STREAMS } from './dependency.ts';
import { Queue } from './queue.ts';
import type { World } from './world.ts';

/** A process of a layer, with the guards that its sessions meet. */
export interface Process {
  readonly budget: Budget | undefined;
  readonly breaker: Breaker | undefined;
  /** Calls that it may still begin. */
  slots: number;
  /** Starts calls that wait for a slot, in turn. */
  readonly waiting: Queue<() => void>;
}

/** A layer of callers: its policy and its processes. */
export interface CallLayer {
  readonly index: number;
  readonly policy: ResolvedPolicy;
  readonly isInnermost: boolean;
  /** A stored layer: a give-up inside is one more failure of its attempt. */
  readonly isStored: boolean;
  /** Whether its sessions deposit in the budget. With one budget for all layers only the last one does. */
  readonly deposits: boolean;
  process(): Process;
}

/** The layers of a scene, with budgets and breakers of core on the simulation's clock. */
export function callLayers(world: World): CallLayer[] {
  const { callers } = world.scene;
  const { layers, budget, breaker, processes: count, concurrency } = callers;
  const { clock } = world;
  const newBudget = () => {
    if (budget === undefined) return undefined;
    const { scope: _, ...options } = budget;
    return retryBudget({ ...options, clock });
  };
  const oneBudget = scoped(budget?.scope, newBudget);
  const draws = new Draws(world.seed, STREAMS.processes);
  return layers.map((policy, index) => {
    const isInnermost = index === layers.length - 1;
    const oneBreaker = scoped(breaker, () =>
      policy.enableCircuitBreaker
        ? circuitBreaker({
            threshold: policy.circuitBreakerThreshold,
            timeoutMs: policy.circuitBreakerTimeoutMs,
            clock,
          })
        : undefined,
    );
    const processes: Process[] = Array.from({ length: count }, () => ({
      budget: oneBudget(),
      breaker: oneBreaker(),
      slots: isInnermost ? concurrency : Infinity,
      waiting: new Queue(),
    }));
    const [first] = processes;
    return {
      index,
      policy,
      isInnermost,
      isStored: index < callers.storedLayers,
      deposits: isInnermost || budget?.scope === 'process',
      process: () =>
        // A scene has at least one process.
        (processes[count === 1 ? 0 : Math.floor(draws.next() * count)] ?? first) as Process,
    };
  });
}

/** `fleet`: the same one each time. */
function scoped<T>(scope: Scope | undefined, make: () => T): () => T {
  if (scope !== 'fleet') return make;
  let one: { readonly value: T } | undefined;
  return () => {
    one ??= { value: make() };
    return one.value;
  };
}
