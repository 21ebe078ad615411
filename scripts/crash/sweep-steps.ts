import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import type { DocumentSource } from '@redrive/durable/documents';
import type { Command, ResultsOf } from '@redrive/durable/store';
import { Journal, readJournal } from './journal.ts';
import { withMethods } from './observed-store.ts';

/** The steps of a sweep, in their order. */
export const SWEEP_STEPS = ['find', 'decide', 'claim', 'enqueue'] as const;
export type SweepStep = (typeof SWEEP_STEPS)[number];

/** The end of a sweeper after a step, or its pause. */
export interface SweepStop {
  readonly after: SweepStep;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** A sweeper that came to its stop. */
export interface ReachedStop extends SweepStop {
  readonly worker: string;
}

const fileOf = (directory: string) => join(directory, 'stops');

export function reachedStops(directory: string): readonly ReachedStop[] {
  return readJournal(fileOf(directory));
}

/** Store and documents whose user stops after a step of its first page, as soon as the step has done something. */
export function stoppingParts(
  parts: { readonly store: FullStore; readonly source: DocumentSource },
  { after, signal }: SweepStop,
  { directory, name }: { readonly directory: string; readonly name: string },
): { readonly store: FullStore; readonly source: DocumentSource } {
  const { store, source } = parts;
  const stops = new Journal<ReachedStop>(fileOf(directory));
  let hasFound = false;
  let isOver = false;

  function stopAfter(step: SweepStep): void {
    if (isOver || step !== after) return;
    isOver = true;
    stops.write({ after, signal, worker: name });
    process.kill(process.pid, signal);
  }

  async function claiming(verb: 'claim' | 'fail', ...args: Parameters<DocumentSource['claim']>) {
    const answers = await source[verb](...args);
    if (answers.includes(true)) stopAfter('claim');
    return answers;
  }

  return {
    source: withMethods(source, {
      async find(collection, request) {
        const page = await source.find(collection, request);
        hasFound = request.set === 'due' && page.documents.length > 0;
        if (hasFound) stopAfter('find');
        return page;
      },
      claim: (...args) => claiming('claim', ...args),
      fail: (...args) => claiming('fail', ...args),
    }),
    store: withMethods(store, {
      // After its decisions a sweep looks once more whether something is in its way.
      controls() {
        if (hasFound) stopAfter('decide');
        return store.controls();
      },
      async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
        const results = await store.apply(commands);
        if (hasFound && commands.some(({ kind }) => kind === 'enqueue')) stopAfter('enqueue');
        return results;
      },
    }),
  };
}

/**
 * Documents without the compare-and-set: every claim is written over whatever state the document is in. With it the
 * harness must find violations.
 */
export function uncomparedDocuments(source: DocumentSource): DocumentSource {
  return withMethods(source, {
    async claim(collection, claims) {
      const { documents } = await source.byIds(
        collection,
        claims.map(({ id }) => id),
      );
      const stamps = new Map(documents.map(({ id, stamp }) => [id, stamp]));
      const unsent = documents.flatMap(({ id, mark }) =>
        mark?.sent === false ? [{ id, event: mark.event, to: 'dropped' } as const] : [],
      );
      if (unsent.length > 0) await source.settle(collection, unsent);
      const current = claims.map((claim) => ({
        ...claim,
        stamp: stamps.get(claim.id) ?? claim.stamp,
      }));
      return source.claim(collection, current);
    },
  });
}
