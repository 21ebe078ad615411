import type { FullStore, HandlerDefinition, Handlers, JobContext } from '@redrive/durable';
import {
  documentHandler,
  type MemoryDocuments,
  SWEEP_HANDLER,
  type Sweep,
  sweepHandler,
} from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import type { LadderProcess } from './process.ts';

export interface ProcessHandlersParts {
  /** The process's own ports. */
  readonly bus: Bus;
  readonly store: FullStore;
  readonly documents: MemoryDocuments;
  readonly handlers: Handlers;
  readonly sweeps: readonly Omit<Sweep, 'source'>[];
  readonly sweepEveryMs: number;
}

/** The given handlers, and those of the sweeps. Each run is a step of the process. */
export function processHandlers(process: LadderProcess, given: ProcessHandlersParts): Handlers {
  const { bus, store, handlers, sweepEveryMs: intervalMs } = given;
  const source = process.port('documents', given.documents);
  const sweeps = given.sweeps.map((sweep) => ({ ...sweep, source }));
  const { clock } = process;
  const actor = { name: 'worker:sweep' };
  const sweep = sweepHandler({ store, clock, sweeps, intervalMs, actor, notify: () => {} });
  const all: Handlers = {
    ...Object.fromEntries(
      sweeps.map((each) => [`documents.${each.name}`, documentHandler(each, bus, { clock })]),
    ),
    ...(sweeps.length > 0 && { [SWEEP_HANDLER]: sweep }),
    ...handlers,
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, handler]) => [name, asStep(process, name, handler)]),
  );
}

function asStep(process: LadderProcess, at: string, handler: Handlers[string]): Handlers[string] {
  // A call for many jobs is no step of one of them.
  if (typeof handler === 'object' && 'runMany' in handler) return handler;
  const definition: HandlerDefinition<unknown, unknown> =
    typeof handler === 'function' ? { run: handler } : handler;
  const run = (payload: unknown, context: JobContext) => {
    const { jobId: key, token: number, attempt, signal } = context;
    const step = { at, key, number, attempt, signal };
    return process.step(step, () => definition.run(payload, context));
  };
  return { ...definition, run };
}
