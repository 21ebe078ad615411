// Bundles the command line into `packages/cli/dist/bundle`, unless that is current: a process may be using it.
// `npm run build` compiles first.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleCli, copyConsole, copyMonitoring } from './bundle-cli/bundle-cli.ts';

const home = join(dirname(import.meta.dirname), 'packages/cli');
const { isCurrent } = createRequire(import.meta.url)(join(home, 'bin/bundle.cjs'));

const root = dirname(import.meta.dirname);
const bundle = join(home, 'dist/bundle');
if (!isCurrent(home)) await bundleCli(root, bundle);
// A change of these files alone makes no new bundle.
copyMonitoring(root, bundle);
copyConsole(root, bundle);
