import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type WriterData, writerTasks } from './writer-tasks.ts';

// The main file of the thread that writes. Its data was given by open-store.ts, of the same version.
serve((tell) => writerTasks(workerData as WriterData, tell));
