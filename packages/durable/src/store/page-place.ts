import { RedriveError } from '@redrive/core';

/** Where a page of a list ended: a time, and the id of what has it. Opaque to callers. */
export interface PagePlace {
  readonly atMs: number;
  readonly id: string;
}

export function placeText({ atMs, id }: PagePlace): string {
  return `${atMs}.${id}`;
}

/** @throws RedriveError `invalid_option` for what is no `next` of a page. */
export function readPlace(after: string): PagePlace {
  const [, time, id] = /^(-?\d+)\.(.+)$/su.exec(after) ?? [];
  if (time === undefined || id === undefined) {
    throw new RedriveError('invalid_option', `\`after\` is not the \`next\` of a page: ${after}`, {
      after,
    });
  }
  return { atMs: Number(time), id };
}
