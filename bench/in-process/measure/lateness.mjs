import { fileURLToPath } from 'node:url';
import { runChild } from '../../lib/child.mjs';

const script = fileURLToPath(new URL('./lateness-child.mjs', import.meta.url));

// A million waiting retries of a heavy contender need more than the default heap.
const roomForWaits = ['--max-old-space-size=8192'];

export const measureLateness = (request) => runChild(script, request, roomForWaits);
