import { type Clock, isRedriveError, RedriveError } from '@redrive/core';
import {
  DOCUMENT_TIMEOUT_MS,
  type DocumentCollection,
  type DocumentSource,
} from '@redrive/durable/documents';
import { changesBy } from '@redrive/durable/store';
import type { Calls } from '../thread/protocol.ts';
import type { CLOSE } from '../thread/serve.ts';
import { Thread } from '../thread/thread.ts';
import { prepareThreads } from '../thread/thread-program.ts';
import type { DocumentCall, DocumentData, DocumentTasks } from './document-tasks.ts';

export interface SqliteDocumentsOptions {
  /** For tests: all times come from here. Default: SQLite's, which are the machine's. */
  readonly clock?: Clock | undefined;
}

/** Building an index reads the whole table, and keeps others from writing meanwhile. */
const PREPARE_TIMEOUT_MS = 600_000;

/**
 * Documents in tables of a SQLite file, for sweeps. The file is the application's own: it must exist, and its journal mode
 * stays as it is. A thread reads and writes it; a write keeps the lock for one page of documents.
 *
 * @param path of the file, with or without `sqlite:` before it.
 */
export function sqliteDocuments(
  path: string,
  { clock }: SqliteDocumentsOptions = {},
): DocumentSource {
  const file = path.replace(/^sqlite:/u, '');
  const name = `sqlite:${file}`;
  const start = (timeoutMs: number): Calls<DocumentTasks> =>
    new Thread({
      name,
      timeoutMs,
      main: 'document/document-thread',
      data: { path: file, busyMs: DOCUMENT_TIMEOUT_MS * 0.8 } satisfies DocumentData,
    });
  const thread = start(DOCUMENT_TIMEOUT_MS);

  const task =
    <Name extends Exclude<keyof DocumentTasks, typeof CLOSE>>(task: Name, on = thread) =>
    async (
      collection: DocumentCollection,
      ...args: readonly unknown[]
    ): Promise<ReturnType<DocumentTasks[Name]>> => {
      try {
        await prepareThreads();
        const call: DocumentCall = { collection, args, nowMs: clock?.now() };
        // All tasks take it; the compiler does not compare the parameters of a task that it does not know yet.
        return await on.call(task, ...([call] as Parameters<DocumentTasks[Name]>));
      } catch (error) {
        if (isRedriveError(error, 'documents_refused')) throw error;
        const text = error instanceof Error ? error.message : String(error);
        throw new RedriveError('documents_unavailable', text, { source: name }, { cause: error });
      }
    };

  const byIds = task('byIds');

  return {
    name,
    find: task('find'),
    ...changesBy(task('write'), byIds),
    remove: task('remove'),
    count: task('count'),
    byIds,
    prepare(collection, options) {
      // Every sweep looks whether something is missing: a thread of its own would take longer than the rest of it.
      if (options.dryRun) return task('prepare')(collection, options);
      const own = start(PREPARE_TIMEOUT_MS);
      return task('prepare', own)(collection, options).finally(() => own.close());
    },
    close: () => thread.close(),
  };
}
