import { measureEnqueue } from './sqlite-enqueue.mjs';

export const title = 'SQLite: enqueue, 256 callers';
export const about =
  'As above with 256 callers: raw group commit is 256 rows and one sync per transaction.';

export const measure = (run) => measureEnqueue(run, 256);
