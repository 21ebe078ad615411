import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageEntry } from '../package-entries.ts';

export interface Declaration {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'const';
  /** The text of its doc comment; `''` without one. */
  readonly doc: string;
  /** As the compiler wrote it. */
  readonly text: string;
}

/** All exports of an entry, by name, as the compiler wrote their types. */
export function builtTypes(root: string, { source }: PackageEntry): Declaration[] {
  return exportedBy(join(root, source.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts')));
}

/** All exports of a built file, by name. Follows `export … from` to the file that declares them. */
function exportedBy(file: string): Declaration[] {
  const source = readFileSync(file, 'utf8');
  const own = declarationsIn(source);
  const passedOn = [
    ...source.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']*)';/gms),
  ].flatMap(([, names = '', from = '']) => passOn(names, exportedBy(declared(file, from))));
  const all = [...source.matchAll(/^export (?:type )?\* from '(\.[^']*)';/gm)].flatMap(
    ([, from = '']) => exportedBy(declared(file, from)),
  );
  return [...own, ...passedOn, ...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function declared(file: string, from: string): string {
  return join(dirname(file), from.replace(/\.ts$/, '.d.ts'));
}

/** @param names as in `{ a, type B, c as d }` */
function passOn(names: string, declarations: readonly Declaration[]): Declaration[] {
  const wanted = names.split(',').map((name) => name.trim().replace(/^type /, ''));
  return wanted.filter(Boolean).map((name) => {
    const [original = name, alias = original] = name.split(' as ');
    const found = declarations.find((one) => one.name === original);
    if (!found) throw new Error(`${original} is exported, and no file declares it`);
    return { ...found, name: alias };
  });
}

const DECLARATION =
  /^(?:\/\*\*(?<comment>(?:[^*]|\*(?!\/))*)\*\/\n)?export (?:declare )?(?:abstract )?(?<kind>function|class|interface|type|const) (?<name>\w+)/gm;

function declarationsIn(source: string): Declaration[] {
  return [...source.matchAll(DECLARATION)].map(({ groups = {}, index, 0: head }) => {
    const { comment = '', kind, name = '' } = groups;
    const start = index + head.indexOf('export ');
    const text = source.slice(start, endOfStatement(source, start));
    return {
      name,
      kind: kind as Declaration['kind'], // The pattern allows no other.
      doc: plainDoc(comment),
      text: text.replace(/^export (declare )?/, ''),
    };
  });
}

/** The compiler puts the last line of a statement at the margin, and indents everything inside. */
function endOfStatement(source: string, start: number): number {
  const end = /(?:;|^\};?)$/gm;
  end.lastIndex = start;
  for (let found = end.exec(source); found; found = end.exec(source)) {
    const line = source.slice(source.lastIndexOf('\n', found.index) + 1, found.index);
    if (!line.startsWith(' ')) return found.index + found[0].length;
  }
  return source.length;
}

function plainDoc(comment: string): string {
  return comment.replace(/^\s*\* ?/gm, '').trim();
}
