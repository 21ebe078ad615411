// Redrive on its in-memory store: not durable, and in no table. For profiling client and worker alone.
import { memoryStore } from '../../../packages/durable/dist/index.js';
import { queueOn } from './redrive.mjs';

export const open = async () => queueOn(memoryStore(), async () => ({}));
