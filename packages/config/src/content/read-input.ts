import type { Tree } from '../document/read-tree.ts';
import type { Problem } from '../problem/problem.ts';
import type { Section } from '../sections/section.ts';

export interface ReadInput {
  readonly value: unknown;
  readonly tree: Tree;
  readonly file: string;
  readonly sections: readonly Section[];
  /** What is wrong with the shape: values that it speaks of are left out, so that nothing is reported twice. */
  readonly problems: readonly Problem[];
}
