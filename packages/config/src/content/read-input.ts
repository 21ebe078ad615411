import type { Tree } from '../document/read-tree.ts';
import type { Problem } from '../problem/problem.ts';

export interface ReadInput {
  readonly value: unknown;
  readonly tree: Tree;
  readonly file: string;
  /** What is wrong with the shape: values that it speaks of are left out, so that nothing is reported twice. */
  readonly problems: readonly Problem[];
}
