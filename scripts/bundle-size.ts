import { dirname } from 'node:path';
import { bundles, measureBytes } from './bundle-size/measure.ts';

const root = dirname(import.meta.dirname);

for (const { name, source, limitBytes } of bundles) {
  const bytes = await measureBytes(root, source);
  const isOver = bytes > limitBytes;
  console.log(`${name}: ${bytes} bytes of ${limitBytes}${isOver ? ', too large' : ''}`);
  if (isOver) process.exitCode = 1;
}
