import type { FileContent } from '../content/file-content.ts';
import { record } from '../content/record.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';

/** A handler has a command or a module, not both. An application registers a handler that has neither. */
export function checkHandlers(content: FileContent): Problem[] {
  const { handlers } = record(content.sections.jobs);
  return Object.entries(record(handlers)).flatMap(([name, given]) => {
    const { command, module } = record(given);
    const path = (key: string) => ['jobs', 'handlers', name, key];
    const problem = (key: string, message: string) => [
      finding('invalid_handler', content.placeOf(path(key)), message),
    ];
    if (command !== undefined && module !== undefined)
      return problem('module', `${name} has both a command and a module`);
    if (Array.isArray(command) && command.length === 0)
      return problem('command', `${name} has an empty command`);
    // `export` has a default, so only its source tells whether somebody wrote it.
    const hasExport = content.sectionSources.has(path('export').join('.'));
    return hasExport && module === undefined
      ? problem('export', `${name} has an export, but no module`)
      : [];
  });
}
