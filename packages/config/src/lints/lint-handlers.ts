import { record } from '../content/record.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import type { LintInput } from './lint-input.ts';

/** Warns of a handler that sets neither `idempotent` nor `on_unknown`: its author may not know that it can run twice. */
export function lintHandlers({ config, content }: LintInput): Problem[] {
  const { handlers } = record(config.sections.jobs);
  return Object.keys(record(handlers)).flatMap((name) => {
    const path = ['jobs', 'handlers', name];
    const says = ['idempotent', 'on_unknown'].some((key) =>
      config.sources.has([...path, key].join('.')),
    );
    if (says) return [];
    const message = `${name} sets neither idempotent nor on_unknown: after a crash or a timeout it runs again for the same job, even if its effect was applied`;
    const advice = 'write idempotent: true, or on_unknown: dead_letter';
    return [finding('silent_at_least_once', content.placeOf(path), message, advice)];
  });
}
