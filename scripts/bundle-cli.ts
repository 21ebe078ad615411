// Bundles the command line into `packages/cli/dist/bundle`. `npm run build` compiles first.
import { dirname, join } from 'node:path';
import { bundleCli } from './bundle-cli/bundle-cli.ts';

const root = dirname(import.meta.dirname);

await bundleCli(root, join(root, 'packages/cli/dist/bundle'));
