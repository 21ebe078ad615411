import type { z } from 'zod';
import type { Section } from '../sections/section.ts';
import { fileShape } from './file-shape.ts';
import type { ObjectShape } from './shape.ts';
import { toZod } from './to-zod.ts';

/** The shape of a file and its validator. */
export interface FileType {
  readonly shape: ObjectShape;
  readonly type: z.ZodType;
}

const types = /* @__PURE__ */ new WeakMap<readonly Section[], FileType>();

/** Making a validator takes far longer than using it, and files are read again and again. */
export function fileType(sections: readonly Section[]): FileType {
  let made = types.get(sections);
  if (made === undefined) {
    const shape = fileShape(sections);
    made = { shape, type: toZod(shape) };
    types.set(sections, made);
  }
  return made;
}
