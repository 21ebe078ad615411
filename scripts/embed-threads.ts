// Writes the program of SQLite's threads as a text into `packages/sqlite/dist`, for bundles of applications.
// `npm run build` compiles first.
import { dirname } from 'node:path';
import { embedThreads } from './embed-threads/embed-threads.ts';

await embedThreads(dirname(import.meta.dirname));
