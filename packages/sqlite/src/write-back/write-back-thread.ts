import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type WriteBackData, writeBackTasks } from './write-back-tasks.ts';

// The main file of the thread that writes a large log back. Its data was given by open-store.ts, of the same version.
serve(() => writeBackTasks(workerData as WriteBackData));
