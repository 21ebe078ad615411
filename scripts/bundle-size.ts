import { dirname } from 'node:path';
import { bundles, measureBytes } from './bundle-size/measure.ts';

const root = dirname(import.meta.dirname);

for (const { name, source, goalBytes, limitBytes } of bundles) {
  const bytes = await measureBytes(root, source);
  const isOver = bytes > limitBytes;
  const verdict = isOver ? `over its limit of ${limitBytes}` : `limit ${limitBytes}`;
  const goal =
    bytes > goalBytes ? `, ${(bytes / goalBytes).toFixed(2)} times the goal of ${goalBytes}` : '';
  console.log(`${name}: ${bytes} bytes, ${verdict}${goal}`);
  if (isOver) process.exitCode = 1;
}
