// Sweeps once in a process of its own, and answers its resident memory before and at its highest, in MiB.
import { answer, childRequest } from '../lib/child.mjs';
import { collectionOf, sweepOnce } from './documents.mjs';

const { kind, url, target, name } = childRequest();
const { openStore } = await import(
  `../../packages/${target.startsWith('sqlite:') ? 'sqlite' : 'postgres'}/dist/index.js`
);
const documents = await import(`../../packages/${kind}/dist/index.js`);
const store = await openStore(target);
const source = documents[`${kind}Documents`](url);
const MiB = 2 ** 20;
// Connected, and nothing swept yet.
await source.byIds(collectionOf(name), []);
globalThis.gc();
const startMiB = process.memoryUsage.rss() / MiB;
let peakMiB = startMiB;
const timer = setInterval(() => {
  peakMiB = Math.max(peakMiB, process.memoryUsage.rss() / MiB);
}, 20);
const sent = await sweepOnce(store, source, name);
clearInterval(timer);
await source.close();
await store.close();
answer({ sent, startMiB, peakMiB });
