import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { CURRENT_SCHEMA } from '../database/schema.ts';
import { FAST_PATHS } from '../fast-paths.ts';
import { scratch } from '../testing/scratch.ts';
import { CLOSE } from '../thread/serve.ts';
import { Writer } from './writer.ts';
import { writerTasks } from './writer-tasks.ts';

const changes: (() => void)[] = [];

vi.mock('./log-watch.ts', () => ({
  LogWatch: class {
    constructor(_path: string, onChange: () => void) {
      changes.push(onChange);
    }
    stop(): void {}
  },
}));

afterEach(() => vi.restoreAllMocks());

test('news that cannot be read do not end the thread', () => {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const told: string[] = [];
  const data = {
    path,
    busyMs: 1_000,
    audited: false,
    fastPaths: FAST_PATHS,
    schema: CURRENT_SCHEMA,
  };
  const tasks = writerTasks(data, (event) => told.push(event));
  tasks.migrate();
  const takeChanges = vi.spyOn(Writer.prototype, 'takeChanges').mockImplementationOnce(() => {
    throw new Error('disk I/O error');
  });
  const [change] = changes;
  expect(() => change?.()).not.toThrow();
  expect(told).toEqual([]);
  takeChanges.mockReturnValueOnce({ changed: true, controls: false });
  change?.();
  expect(told).toEqual(['changed']);
  takeChanges.mockReturnValueOnce({ changed: true, controls: true });
  change?.();
  expect(told.slice(1)).toEqual(['controls_changed', 'changed']);
  takeChanges.mockReturnValueOnce({ changed: false, controls: false });
  change?.();
  expect(told.length).toBe(3);
  tasks[CLOSE]();
});
