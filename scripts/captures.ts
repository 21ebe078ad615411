// Draws the terminal captures of docs/captures anew: npm run captures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captures } from './captures/captures.ts';

const directory = join(import.meta.dirname, '../docs/captures');
mkdirSync(directory, { recursive: true });
for (const { file, svg } of await captures()) writeFileSync(join(directory, file), svg);
