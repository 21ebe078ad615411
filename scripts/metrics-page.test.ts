import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { metricsPage } from './metrics-page/metrics-page.ts';

test('the metrics page is made from the catalogue; `npx vitest run -u` writes it anew', async () => {
  const page = join(dirname(import.meta.dirname), 'docs/reference/metrics.md');
  await expect(metricsPage()).toMatchFileSnapshot(page);
});
