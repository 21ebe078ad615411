import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type ReaderData, readerTasks } from './reader-tasks.ts';

// The main file of the reading thread. `open-store.ts` of the same version passes its data.
serve(() => readerTasks(workerData as ReaderData));
