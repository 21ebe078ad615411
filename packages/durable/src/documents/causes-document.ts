import { commandText } from '@redrive/core/fields';
import { type RankedCause, rankCauses, suggestionFor } from '../dead-letter/rank-causes.ts';
import type { CauseSamples } from '../dead-letter/read-causes.ts';
import { isoTime } from './times.ts';

/** The causes of one fingerprint. */
export interface GroupCauses {
  readonly fingerprint: string;
  readonly pattern: string;
  readonly count: number;
  /** Dead letters that were compared. */
  readonly compared: number;
  /** The best first. Empty: nothing sets the group apart. */
  readonly causes: readonly RankedCause[];
}

/** The largest group first. */
export function causeGroups({ groups, succeeded }: CauseSamples): GroupCauses[] {
  const all = [...groups].map(([fingerprint, group]) => ({ fingerprint, ...group }));
  const rankings = rankCauses(
    all.map(({ letters }) => letters),
    succeeded,
  );
  return all
    .map(({ letters, ...group }, at) => {
      return { ...group, compared: letters.length, causes: rankings[at] ?? [] };
    })
    .sort((one, other) => other.count - one.count);
}

export function lettersIn({ groups }: CauseSamples): number {
  return [...groups.values()].reduce((sum, { count }) => sum + count, 0);
}

/** As JSON prints it. */
export function causesDocument(samples: CauseSamples, groups: readonly GroupCauses[]) {
  const letters = lettersIn(samples);
  return {
    looked_at: {
      letters: { count: letters, bounded: samples.moreLetters },
      succeeded: { count: samples.succeeded.length, bounded: samples.moreSucceeded },
    },
    window: {
      from: letters === 0 ? null : isoTime(samples.fromMs),
      to: letters === 0 ? null : isoTime(samples.toMs),
    },
    groups: groups.map((group) => ({
      fingerprint: group.fingerprint,
      pattern: group.pattern,
      count: group.count,
      compared: group.compared,
      causes: group.causes.map(({ values, failed, succeeded, g, score }) => ({
        values: values.map(({ dimension, value }) => ({ dimension, value })),
        letters: { with: failed.with, without: failed.without },
        succeeded: { with: succeeded.with, without: succeeded.without },
        g: rounded(g),
        score: rounded(score),
      })),
      suggestion: suggestionOf(group) ?? null,
      next: listCommand(group),
    })),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export function suggestionOf({ causes, pattern }: GroupCauses): string | undefined {
  return causes[0] && suggestionFor(causes[0], pattern);
}

export function listCommand({ fingerprint }: GroupCauses): string {
  return commandText`redrive dlq list --group ${fingerprint}`;
}
