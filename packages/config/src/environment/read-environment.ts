import { nearest } from '@redrive/core/fields';
import type { Override, SectionOverride, ValueSource, VariablePlace } from '../config.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { type EnvEntry, parseEnvFile } from './parse-env-file.ts';
import { readVariable, serverVariables, VARIABLES, type Variable } from './variables.ts';

/** The values and problems of the environment. */
export interface EnvironmentReading {
  readonly overrides: readonly Override[];
  readonly sectionOverrides: readonly SectionOverride[];
  /** The variables of servers that are set and not empty, by name, unchecked. */
  readonly serverTexts: ReadonlyMap<string, Found>;
  readonly problems: readonly Problem[];
}

export interface EnvironmentInput {
  /** The process's own variables, which beat the file's. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The text of the environment file, and the name to call it by. */
  readonly envFile?: { readonly name: string; readonly text: string } | undefined;
}

const KNOWN = VARIABLES.map(({ name }) => name);
const OF_SERVERS = [...serverVariables('mongodb'), ...serverVariables('rabbitmq')];

/**
 * Reads the variables of `VARIABLES` from the process's environment and from an environment file. Pure: the caller
 * brings both. A malformed value is an error, an empty one does not count (and is a warning, because compose files pass
 * unset variables on as empty ones), and a name that is nearly one of ours is a warning.
 */
export function readEnvironment(input: EnvironmentInput): EnvironmentReading {
  const file = readFile(input.envFile);
  const problems = [...file.problems];
  const inForce = new Map<string, Found>();
  const serverTexts = new Map<string, Found>();
  for (const found of [...file.found, ...fromProcess(input.environment ?? {})]) {
    if (OF_SERVERS.includes(found.name)) {
      if (found.value !== '') serverTexts.set(found.name, found);
    } else if (!KNOWN.includes(found.name)) problems.push(...unknownName(found));
    else if (found.value.trim() === '') problems.push(emptyValue(found));
    else inForce.set(found.name, found);
  }
  const overrides: Override[] = [];
  const sectionOverrides: SectionOverride[] = [];
  // In the table's order, so that problems come in the same order everywhere.
  for (const variable of VARIABLES) {
    const found = inForce.get(variable.name);
    if (found === undefined) continue;
    const read = readVariable(variable, found.value);
    if ('expected' in read) {
      problems.push(malformed(found, variable, read.expected));
      continue;
    }
    const source: ValueSource = { kind: 'environment', where: found.where };
    const { target } = variable;
    const { value } = read;
    if ('field' in target) overrides.push({ ...target, value, source, variable: placeOf(found) });
    else sectionOverrides.push({ ...target, value, source });
  }
  return { overrides, sectionOverrides, serverTexts, problems };
}

/** A variable where it was found. */
export interface Found extends EnvEntry {
  /** `RETRY_TTL_MINUTES`, or `production.env:3 RETRY_TTL_MINUTES`. */
  readonly where: string;
  /** The environment file. Absent: the process's own environment. */
  readonly file?: string;
}

function fromProcess(environment: Readonly<Record<string, string | undefined>>): Found[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, line: 1, where: name }],
  );
}

function readFile(file: EnvironmentInput['envFile']): {
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
} {
  if (file === undefined) return { found: [], problems: [] };
  const { entries, faults } = parseEnvFile(file.text);
  return {
    found: entries.map((entry) => ({
      ...entry,
      where: `${file.name}:${entry.line} ${entry.name}`,
      file: file.name,
    })),
    problems: faults.map(({ line, column, message, suggestion }) =>
      finding('env_file_syntax', { path: '', line, column, file: file.name }, message, suggestion),
    ),
  };
}

/** A variable of the process has neither file nor line, so that its name stands for both. */
export function problemAt({ name, line, file = name }: Found) {
  return { path: name, line, column: 1, file };
}

function placeOf({ name, line, file }: Found): VariablePlace {
  return file === undefined ? { name } : { name, file: { name: file, line } };
}

/** The name of a variable in a message. For a variable from a file, the message has the file and the line beside it. */
export function subject({ name, file }: Found): string {
  return file === undefined ? `The environment variable ${name}` : name;
}

function unknownName(found: Found): Problem[] {
  const meant = meantBy(found.name);
  const message = `${subject(found)} is not a variable of Redrive and has no effect`;
  return meant === undefined
    ? []
    : [finding('unknown_variable', problemAt(found), message, `write ${meant}`)];
}

/** Other programs have variables too, also with this prefix: only what is nearly ours is worth a word. */
function meantBy(name: string): string | undefined {
  if (!/^retry_/i.test(name)) return undefined;
  // RETRY_MAX_DELAY_MS is nearer to RETRY_BASE_DELAY_MS by letters, but not by meaning.
  const stem = withoutUnit(name.toUpperCase());
  return KNOWN.find((known) => withoutUnit(known) === stem) ?? nearest(name, KNOWN);
}

const withoutUnit = (name: string) => name.replace(/_(?:MS|SECONDS|MINUTES|HOURS)$/, '');

function emptyValue(found: Found): Problem {
  const message = `${subject(found)} is empty and has no effect`;
  return finding('empty_variable', problemAt(found), message, 'give it a value, or remove it');
}

/** A value of any length may stand there: problems are bounded. */
const MAX_SHOWN = 40;

function malformed(found: Found, { unit, name }: Variable, expected: string): Problem {
  const { value } = found;
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  const message = `${subject(found)} must be ${expected}, not ${JSON.stringify(shown)}`;
  const example = unit === 'factor' ? '2.0' : '5';
  const advice = `write a plain number, for instance ${name}=${example}`;
  return finding('malformed_variable', problemAt(found), message, advice);
}
