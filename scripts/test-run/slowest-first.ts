import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for a server or for processes: last, one of them would run long after all others have ended. */
const SLOW = /packages\/postgres\/|scripts\/(?:crash|docs-snippets|first-)/;

/** The order of test files where nobody has measured them yet: the slow ones first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
