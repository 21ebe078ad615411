import { expect, test } from 'vitest';
import { unreleasedVersion, withRelease } from './changelog.ts';

const notes = [
  { summary: 'A list of jobs has `next`.', type: 'patch' },
  { summary: '`retry` takes no string.\n\nPass a function.', type: 'minor' },
] as const;

test('a release leads with what breaks', () => {
  const changelog = '# Changelog\n\nWords.\n\n## 0.1.0\n\n- First.\n';
  expect(withRelease(changelog, '0.2.0', notes)).toBe(
    '# Changelog\n\nWords.\n\n## 0.2.0\n\nWhat breaks:\n\n- `retry` takes no string.\n\n  Pass a function.\n\nWhat is new:\n\n- A list of jobs has `next`.\n\n## 0.1.0\n\n- First.\n',
  );
});

test('from 1.0 on only a major change breaks', () => {
  const released = withRelease('# Changelog\n', '1.1.0', notes);
  expect(released).not.toContain('What breaks');
  expect(released).toContain('What is new:\n\n- A list');
});

test('the first release keeps the text that was written by hand', () => {
  const changelog =
    '# Changelog\n\n## 0.1.0 (unreleased)\n\nThese break:\n\n- One.\n- Two.\n\nWhat is in it:\n\n- Three.\n';
  expect(unreleasedVersion(changelog)).toBe('0.1.0');
  const released = withRelease(changelog, '0.1.0', notes);
  expect(released).toMatch(/^## 0\.1\.0$/m);
  expect(released.indexOf('- Two.')).toBeLessThan(released.indexOf('- `retry` takes'));
  expect(released.indexOf('- `retry` takes')).toBeLessThan(released.indexOf('- Three.'));
  expect(released).toContain('Also:\n\n- A list of jobs');
  expect(unreleasedVersion(released)).toBeUndefined();
});
