import { workerData } from 'node:worker_threads';
import { serve } from '../thread/serve.ts';
import { type DocumentData, documentTasks } from './document-tasks.ts';

// The main file of the thread. `sqlite-documents.ts` of the same version passes its data.
serve(() => documentTasks(workerData as DocumentData));
