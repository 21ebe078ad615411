import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);

test.each(['nats', 'rabbitmq'])('the README of %s begins with consumeEvents', (name) => {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  const [, first = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  expect(first).toContain('consumeEvents(source, { bus, store, jobs })');
  expect(first).not.toContain('.consume(');
});
