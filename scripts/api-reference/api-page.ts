import type { PackageEntry } from '../package-entries.ts';
import { builtTypes, type Declaration } from './declarations.ts';

/** The reference of one package: every name of every entry, as the built types have it. */
export function apiPage(root: string, entries: readonly PackageEntry[]): string {
  const [first] = entries;
  const sections = entries.map((entry) => entrySection(entry.name, builtTypes(root, entry)));
  return [`# API of ${first?.packageName}`, ABOUT, ...sections].join('\n\n').concat('\n');
}

const ABOUT =
  'Generated from the types: every public name, by entry. Classes and functions are shown with their signatures; your editor shows the fields of a type. ' +
  'Options have tables of their own: [options](../options.md), [jobs](../jobs.md), [policy](../policy.md).';

function entrySection(entry: string, declarations: readonly Declaration[]): string {
  const called = declarations.filter(({ kind }) => kind === 'function' || kind === 'class');
  const rest = declarations.filter((one) => !called.includes(one));
  const parts = [`## \`${entry}\``, ...called.map(callable)];
  if (rest.length > 0) {
    const rows = rest.map(({ name, kind, doc }) => `| \`${name}\` | ${kind} | ${summary(doc)} |`);
    parts.push(['| name | kind | meaning |', '|---|---|---|', ...rows].join('\n'));
  }
  return parts.join('\n\n');
}

function callable({ name, doc, text }: Declaration): string {
  return [`### \`${name}\``, prose(doc), `\`\`\`dts\n${withoutComments(text)}\n\`\`\``]
    .filter(Boolean)
    .join('\n\n');
}

/** A doc comment without its examples, which would be run as snippets of this page. Tags become sentences. */
function prose(doc: string): string {
  return doc
    .replaceAll(/```[\s\S]*?```\n*/g, '')
    .replaceAll(/^@param (\w+) /gm, '- `$1`: ')
    .replaceAll(
      /^@(throws|returns) /gm,
      (_, tag: string) => `- ${tag === 'throws' ? 'Throws' : 'Returns'} `,
    )
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function summary(doc: string): string {
  const [paragraph = ''] = prose(doc).split('\n\n');
  return paragraph.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, '')
    .replaceAll(/^ *#private;\n/gm, '');
}
