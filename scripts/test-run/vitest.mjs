// Runs vitest with the arguments of this program. Vitest prints colours into pipes and files too, so they are switched
// off here, before it is loaded, where stdout is not a terminal.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { env, stdout } = process;
if (stdout.isTTY !== true && env.FORCE_COLOR === undefined) env.NO_COLOR ??= '1';
const manifest = createRequire(import.meta.url).resolve('vitest/package.json');
await import(pathToFileURL(join(dirname(manifest), 'vitest.mjs')).href);
