import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientText } from './testing/client-text.ts';
import { manifestText } from './testing/manifest-text.ts';

test('the manifest has every action; `npx vitest run packages/operate -u` writes it', async () => {
  const file = join(import.meta.dirname, 'manifest/manifest.ts');
  await expect(manifestText()).toMatchFileSnapshot(file);
});

test('the client has a function per action; `npx vitest run packages/operate -u` writes it', async () => {
  const file = join(import.meta.dirname, '../../client/src/actions.ts');
  await expect(clientText()).toMatchFileSnapshot(file);
});
