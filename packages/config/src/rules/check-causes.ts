import { MAX_RULES, ruleProblems } from '@redrive/core/stored';
import type { FileContent } from '../content/file-content.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { rulesOfSection } from '../settings/causes-settings.ts';

/** Checks each rule of causes, and that there are not too many. */
export function checkCauses(content: FileContent): Problem[] {
  const rules = rulesOfSection(content.sections.causes);
  const ofRules = rules.flatMap((rule) =>
    ruleProblems(rule).map(({ field, message }) => {
      const key = field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
      const path = ['causes', rule.name, ...(field === 'name' ? [] : [key])];
      return finding('invalid_cause', content.placeOf(path), `${rule.name}: ${message}`);
    }),
  );
  // JavaScript puts keys that are whole numbers first, wherever the file has them.
  const numbered = rules.flatMap(({ name }) =>
    /^\d+$/.test(name)
      ? finding(
          'invalid_cause',
          content.placeOf(['causes', name]),
          `${name}: its name must have a letter`,
        )
      : [],
  );
  ofRules.push(...numbered);
  if (rules.length <= MAX_RULES) return ofRules;
  const message = `There are ${rules.length} rules of causes; at most ${MAX_RULES} are allowed`;
  return [...ofRules, finding('invalid_cause', content.placeOf(['causes']), message)];
}
