// Bundles the command line into `packages/cli/dist/bundle`, unless that is current: a process may be using it.
// `npm run build` compiles first.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleCli } from './bundle-cli/bundle-cli.ts';

const home = join(dirname(import.meta.dirname), 'packages/cli');
const { isCurrent } = createRequire(import.meta.url)(join(home, 'bin/bundle.cjs'));

if (!isCurrent(home)) await bundleCli(dirname(import.meta.dirname), join(home, 'dist/bundle'));
