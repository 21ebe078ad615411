import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IDependency } from 'dependency-cruiser';
import { entriesOf } from '../package-entries.ts';
import {
  bundled,
  driverHome,
  engineDependent,
  forTestsOnly,
  mayImport,
  nodePartOfCore,
  onlyEntries,
  pureRules,
  runsAnywhere,
  typesOnly,
  usersProgram,
} from './rules.ts';

export interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
}

export interface LayersReport {
  readonly modules: number;
  readonly imports: number;
  readonly violations: readonly Violation[];
}

/** One import, with what the rules ask about it. */
interface Import {
  /** Path of the importing file, relative to the root. */
  readonly file: string;
  /** Folder under packages/, or undefined for examples. */
  readonly from: string | undefined;
  readonly inTest: boolean;
  /** Whether it leads to test code. */
  readonly ofTests: boolean;
  /** As written: `./x.ts`, `@redrive/core`, `node:fs`, `pg/lib/client`. */
  readonly specifier: string;
  /** Package name of a bare specifier: `@redrive/core`, `node:fs`, `pg`. */
  readonly packageName: string | undefined;
  /** The file that it leads to, relative to the root, if it is one of ours. */
  readonly target: string;
  /** Folder under packages/ that it leads to, if any. */
  readonly to: string | undefined;
  readonly found: boolean;
  readonly isTypeOnly: boolean;
}

// Not examples/project, which is a project with dependencies of its own.
const sources = ['packages/*/src/**/*.ts', 'packages/*/src/**/*.tsx', 'examples/*.ts'];

/**
 * Checks every import below `root` against the tables in rules.ts:
 * find the sources, read their imports, then ask each rule about each import.
 */
export async function checkLayers(root: string): Promise<LayersReport> {
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  const graph = files.length === 0 ? [] : await readGraph(root, files);
  const imports = graph.flatMap(({ source, dependencies }) =>
    dependencies.map((dependency) => describeImport(source, dependency)),
  );
  return {
    modules: graph.length,
    imports: imports.length,
    violations: [
      ...sawEverything(files, graph, imports),
      ...findCycles(graph),
      ...files.flatMap((file) => sameInEveryEngine(root, file)),
      ...imports.flatMap((each) => rules(root).flatMap((rule) => rule(each) ?? [])),
    ],
  };
}

type Graph = ICruiseResult['modules'];

async function readGraph(root: string, files: string[]): Promise<Graph> {
  const { output } = await cruise(
    files,
    {
      baseDir: root,
      // TypeScript 7 has no parser interface; without swc nothing would be read, and all be well.
      parser: 'swc',
      doNotFollow: { path: 'node_modules' },
    },
    { alias: sourceAliases(root), extensions: ['.ts', '.tsx', '.js'] },
  );
  const { modules } = output as ICruiseResult; // a string only when a reporter is asked for
  const known = new Set(files);
  return modules.filter((module) => known.has(module.source));
}

/** Leads `@redrive/x` to its source, so that the check needs no build and sees across packages. */
function sourceAliases(root: string): Record<string, string> {
  return Object.fromEntries(
    entriesOf(root).map(({ name, source }) => [`${name}$`, join(root, source)]),
  );
}

function describeImport(file: string, dependency: IDependency): Import {
  // Node's own modules arrive with and without their prefix.
  const isPlainBuiltin = dependency.coreModule && !dependency.module.startsWith('node:');
  const specifier = isPlainBuiltin ? `node:${dependency.module}` : dependency.module;
  const packageName = packageNameOf(specifier);
  return {
    file,
    from: packageFolder(file),
    inTest: isTestCode(file),
    ofTests: isTestCode(dependency.resolved),
    specifier,
    packageName,
    target: dependency.resolved,
    to: packageFolder(dependency.resolved) ?? ownPackage(packageName),
    found: !dependency.couldNotResolve,
    isTypeOnly: isTypeOnly(dependency),
  };
}

function packageNameOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('/')) return undefined;
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Tests, and what they share in `src/testing`, which is not built. */
function isTestCode(path: string): boolean {
  return /\.test\.tsx?$|^packages\/[^/]+\/src\/testing\//.test(path);
}

function packageFolder(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function ownPackage(packageName: string | undefined): string | undefined {
  return packageName === 'redrive' ? 'cli' : /^@redrive\/(.+)$/.exec(packageName ?? '')?.[1];
}

/** Comments may name what the code may not call. */
function sameInEveryEngine(root: string, file: string): Violation[] {
  if (!file.startsWith(runsAnywhere) || isTestCode(file)) return [];
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const [found] = engineDependent.exec(text) ?? [];
  if (found === undefined) return [];
  const message = `${found} differs between engines in its last bit: use src/chance/arithmetic.ts`;
  return [{ rule: 'lab-runs-anywhere', file, message }];
}

/** A check that looked at nothing must not pass. */
function sawEverything(files: string[], graph: Graph, imports: Import[]): Violation[] {
  if (files.length === 0) {
    return [{ rule: 'saw-nothing', file: '.', message: 'found no source files to check' }];
  }
  if (imports.length === 0) {
    return [{ rule: 'saw-nothing', file: '.', message: 'read no import in any source file' }];
  }
  const seen = new Set(graph.map(({ source }) => source));
  return files
    .filter((file) => !seen.has(file))
    .map((file) => ({ rule: 'saw-nothing', file, message: 'this file was not read' }));
}

/** Cycles of what is loaded at run time; a type-only import is gone by then and may point back. */
function findCycles(graph: Graph): Violation[] {
  const loads = new Map(
    graph.map(({ source, dependencies }) => [
      source,
      dependencies.filter((each) => !isTypeOnly(each)).map(({ resolved }) => resolved),
    ]),
  );
  const finished = new Set<string>();
  const violations: Violation[] = [];

  function visit(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start >= 0) {
      const message = `imports itself: ${[...path.slice(start), file].join(' > ')}`;
      violations.push({ rule: 'cycle', file: path.at(-1) ?? file, message });
    } else if (!finished.has(file)) {
      for (const next of loads.get(file) ?? []) visit(next, [...path, file]);
      finished.add(file);
    }
  }

  for (const file of loads.keys()) visit(file, []);
  return violations;
}

function isTypeOnly({ dependencyTypes }: IDependency): boolean {
  return dependencyTypes.includes('type-only');
}

type Rule = (each: Import) => Violation | undefined;

function rules(root: string): Rule[] {
  const declared = declaredBy(root);
  return [
    function resolvable({ file, specifier, found, packageName }) {
      // An outside package that is not installed is a matter of what is declared, below.
      if (found || (packageName !== undefined && ownPackage(packageName) === undefined)) return;
      return { rule: 'resolvable', file, message: `${specifier} leads nowhere` };
    },

    function allowList({ file, from, to, inTest, isTypeOnly, specifier }) {
      if (from === undefined || to === undefined || from === to) return;
      // The tests of what runs in a browser start the server that it talks to.
      if (inTest && (to === 'testkit' || bundled.includes(from))) return;
      if (!mayImport[from]?.includes(to)) {
        return { rule: 'allow-list', file, message: `${from} may not import ${to}` };
      }
      if (typesOnly[from]?.includes(to) && !isTypeOnly && !inTest) {
        return { rule: 'allow-list', file, message: `${from} may import only types of ${to}` };
      }
      const entries = onlyEntries[from]?.[to];
      if (entries !== undefined && !entries.includes(specifier)) {
        return { rule: 'allow-list', file, message: `${from} may import only ${entries} of ${to}` };
      }
    },

    function pureRulesStayPure({ file, target, specifier, inTest, isTypeOnly }) {
      if (inTest || isTypeOnly || !file.startsWith(pureRules)) return;
      if (target.startsWith(pureRules)) return;
      return {
        rule: 'pure-rules',
        file,
        message: `${specifier} is outside ${pureRules}: import only its types, and pass values in`,
      };
    },

    function publicEntry({ file, from, to, specifier }) {
      if (to === undefined || from === to || !specifier.startsWith('.')) return;
      return {
        rule: 'public-entry',
        file,
        message: `reaches into ${to} by ${specifier}; import its public entry`,
      };
    },

    function declaredPackage({ file, from, packageName, inTest }) {
      if (packageName === undefined || packageName.startsWith('node:')) return;
      // A test may use its own package as users do.
      if (inTest && ownPackage(packageName) === from) return;
      if (declared(from, inTest).has(packageName)) return;
      return {
        rule: 'declared-package',
        file,
        message: `${packageName} is not in ${from ? `packages/${from}` : 'the root'}/package.json`,
      };
    },

    function driverInAdapter({ file, from, packageName = '' }) {
      const home = driverHome[packageName] ?? driverHome[packageName.replace(/\/.*/, '')];
      // An example is a user's program: it has drivers of its own.
      if (home === undefined || home === from || from === undefined) return;
      if (file.startsWith(usersProgram)) return;
      return { rule: 'driver-in-adapter', file, message: `${packageName} belongs in ${home}` };
    },

    function testCodeInTests({ file, from, specifier, packageName = '', inTest, ofTests }) {
      if (inTest || from === undefined) return;
      if (ofTests) {
        return { rule: 'test-code-in-tests', file, message: `${specifier} is for tests only` };
      }
      if (from === 'testkit') return;
      if (!forTestsOnly.includes(packageName)) return;
      return { rule: 'test-code-in-tests', file, message: `${packageName} is for tests only` };
    },

    function coreRunsAnywhere({ file, from, specifier, inTest }) {
      if (from !== 'core' || inTest || nodePartOfCore.test(file)) return;
      if (!specifier.startsWith('node:')) return;
      return {
        rule: 'core-runs-anywhere',
        file,
        message: `${specifier} is only for the subpath @redrive/core/node`,
      };
    },

    function labRunsAnywhere({ file, specifier, inTest }) {
      if (inTest || !file.startsWith(runsAnywhere) || !specifier.startsWith('node:')) return;
      return {
        rule: 'lab-runs-anywhere',
        file,
        message: `${specifier} is not in a Web Worker: the command line and the server do I/O`,
      };
    },
  ];
}

/** What a package may import by name: its own package.json; in tests the root's as well. */
function declaredBy(root: string) {
  const names = new Map<string, Set<string>>();
  const read = (folder: string, fields: string[]): Set<string> => {
    const key = [folder, ...fields].join();
    const known = names.get(key);
    if (known) return known;
    const path = join(root, folder, 'package.json');
    const manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const found = new Set(fields.flatMap((field) => Object.keys(manifest[field] ?? {})));
    names.set(key, found);
    return found;
  };
  const shipped = ['dependencies', 'peerDependencies', 'optionalDependencies'];
  const ours = entriesOf(root).map(({ packageName }) => packageName);
  return (from: string | undefined, inTest: boolean): Set<string> => {
    const tools = read('.', ['devDependencies']);
    if (from === undefined) return new Set([...ours, ...tools]);
    const all = [...shipped, 'devDependencies'];
    if (!inTest) return read(`packages/${from}`, bundled.includes(from) ? all : shipped);
    const own = read(`packages/${from}`, all);
    const started = bundled.includes(from) ? ours : [];
    return new Set([...own, ...tools, ...started, '@redrive/testkit']);
  };
}
