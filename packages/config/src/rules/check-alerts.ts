import { nearest } from '@redrive/core/fields';
import { policyCategory } from '@redrive/core/stored';
import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { PRESETS } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';

/** Stands for calls and jobs without a category. */
const NONE = 'none';

/** Finds thresholds of categories that nothing has. It is no error: a program can define categories of its own. */
export function checkAlerts(content: FileContent): Problem[] {
  const own = [...content.policies.keys()].filter((id) => policyCategory(id) !== undefined);
  const known = [...Object.keys(PRESETS.categories.policies), ...own, NONE];
  return Object.keys(record(record(content.sections.alerts).categories))
    .filter((category) => !known.includes(category))
    .map((category) => {
      const close = nearest(category, known);
      const place = content.placeOf(['alerts', 'categories', category]);
      const message = `${category} is not a category of Redrive or of this file`;
      return finding('unknown_category', place, message, close && `did you mean ${close}?`);
    });
}
