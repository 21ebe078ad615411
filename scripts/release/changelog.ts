/** One file of .changeset: what a change means to users, and the part of the version that it raises. */
export interface Note {
  readonly summary: string;
  readonly type: 'patch' | 'minor' | 'major';
}

/** The version of the first section, while nothing of it has been released. */
export function unreleasedVersion(changelog: string): string | undefined {
  return /^## (\S+) \(unreleased\)$/m.exec(changelog)?.[1];
}

/**
 * The changelog with these notes in the section of `version`. Each version leads with what breaks: before 1.0 these are
 * the minor changes. Text that was written by hand under an `(unreleased)` heading stays where it is.
 */
export function withRelease(changelog: string, version: string, notes: readonly Note[]): string {
  const breaking = listOf(notes.filter(({ type }) => breaks(version, type)));
  const other = listOf(notes.filter(({ type }) => !breaks(version, type)));
  const heading = `## ${version}`;
  if (unreleasedVersion(changelog) === version) {
    const [before = '', section = '', ...after] = changelog.split(/^(?=## )/m);
    const written = section.replace(`${heading} (unreleased)`, heading);
    const parts = [withMoreBreaks(written, breaking), other && `Also:\n\n${other}`];
    return [before, join(parts), ...after].join('');
  }
  const parts = [
    heading,
    breaking && `What breaks:\n\n${breaking}`,
    other && `What is new:\n\n${other}`,
  ];
  const at = changelog.search(/^## /m);
  const end = at === -1 ? changelog.length : at;
  return changelog.slice(0, end) + join(parts) + changelog.slice(end);
}

function breaks(version: string, type: Note['type']): boolean {
  return type === 'major' || (type === 'minor' && version.startsWith('0.'));
}

function listOf(notes: readonly Note[]): string {
  return notes
    .map(({ summary }) => `- ${summary.trim().replaceAll(/\n(?=.)/g, '\n  ')}\n`)
    .join('');
}

/** The first list of a section is that of the breaks. */
function withMoreBreaks(section: string, breaking: string): string {
  return section.replace(/^(?:- .*\n(?: {2}.*\n)*)+/m, (list) => list + breaking);
}

function join(parts: readonly string[]): string {
  const texts = parts.map((part) => part.trim()).filter((part) => part !== '');
  return `${texts.join('\n\n')}\n\n`;
}
