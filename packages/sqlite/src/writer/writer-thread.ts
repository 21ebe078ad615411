import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type WriterData, writerTasks } from './writer-tasks.ts';

// The main file of the writing thread. `open-store.ts` of the same version passes its data.
serve((notify) => writerTasks(workerData as WriterData, notify));
