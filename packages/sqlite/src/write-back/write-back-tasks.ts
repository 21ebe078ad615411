import { openForReading } from '../database/open-database.ts';
import type { Tasks } from '../thread/protocol.ts';
import { CLOSE } from '../thread/serve.ts';
import { MAX_PAGES_AT_ONCE, WriteAheadLog } from './write-back.ts';

export interface WriteBackData {
  readonly path: string;
  readonly busyMs: number;
}

/** Each time the writer has written less meanwhile: a few are enough, or there will never be enough. */
const MAX_ROUNDS = 20;

/** The tasks of the thread that helps the writer with a log that has become large. */
export function writeBackTasks({ path, busyMs }: WriteBackData) {
  return {
    writeBack: () => {
      const db = openForReading(path, busyMs);
      try {
        writeBackMost(new WriteAheadLog(db));
      } finally {
        db.close();
      }
    },
    [CLOSE]: () => {},
  } satisfies Tasks;
}

export type WriteBackTasks = ReturnType<typeof writeBackTasks>;

/** Beside the writer, until so little is left that it can do the rest itself, or a reader is in the way. */
function writeBackMost(log: WriteAheadLog): void {
  let before = log.size();
  for (let round = 0; round < MAX_ROUNDS && before.left > MAX_PAGES_AT_ONCE / 2; round++) {
    log.writeBack();
    const after = log.size();
    if (after.writtenBack <= before.writtenBack) return;
    before = after;
  }
}
