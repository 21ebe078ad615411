import { seedA } from './seed-a.ts';
import { seedB } from './seed-b.ts';
import { seedC } from './seed-c.ts';
import { seedD } from './seed-d.ts';
import { seedE } from './seed-e.ts';
import type { SourceDocument } from './statement.ts';

export const DOCUMENTS: readonly SourceDocument[] = [seedA, seedB, seedC, seedD, seedE];
