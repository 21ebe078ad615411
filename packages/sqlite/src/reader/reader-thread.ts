import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type ReaderData, readerTasks } from './reader-tasks.ts';

// The main file of the thread that reads. Its data was given by open-store.ts, of the same version.
serve(() => readerTasks(workerData as ReaderData));
