// Builds the console into `packages/server/dist/console`, unless that is current. `npm run build` compiles first.
import { dirname } from 'node:path';
import { buildConsole, isConsoleCurrent } from './build-console/build-console.ts';

const root = dirname(import.meta.dirname);
if (!isConsoleCurrent(root)) await buildConsole(root);
