import { nearest } from '@redrive/core/fields';
import type { Override, SectionOverride, ValueSource, VariablePlace } from '../config.ts';
import type { Problem } from '../problem/problem.ts';
import { type EnvEntry, parseEnvFile } from './parse-env-file.ts';
import { readVariable, VARIABLES, type Variable } from './variables.ts';

/** The values and problems of the environment. */
export interface EnvironmentReading {
  readonly overrides: readonly Override[];
  readonly sectionOverrides: readonly SectionOverride[];
  readonly problems: readonly Problem[];
}

export interface EnvironmentInput {
  /** The process's own variables, which beat the file's. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The text of the environment file, and the name to call it by. */
  readonly envFile?: { readonly name: string; readonly text: string } | undefined;
}

const KNOWN = VARIABLES.map(({ name }) => name);

/**
 * Reads the variables of `VARIABLES` from the process's environment and from an environment file. Pure: the caller
 * brings both. A malformed value is an error, an empty one does not count (and is a warning, because compose files pass
 * unset variables on as empty ones), and a name that is nearly one of ours is a warning.
 */
export function readEnvironment(input: EnvironmentInput): EnvironmentReading {
  const file = readFile(input.envFile);
  const found = [...file.findings, ...fromProcess(input.environment ?? {})];
  const problems = [...file.problems];
  const inForce = new Map<string, Finding>();
  for (const finding of found) {
    const variable = VARIABLES.find(({ name }) => name === finding.name);
    if (variable === undefined) problems.push(...unknownName(finding));
    else if (finding.value.trim() === '') problems.push(emptyValue(finding));
    else inForce.set(finding.name, finding);
  }
  const overrides: Override[] = [];
  const sectionOverrides: SectionOverride[] = [];
  // In the table's order, so that problems come in the same order everywhere.
  for (const variable of VARIABLES) {
    const finding = inForce.get(variable.name);
    if (finding === undefined) continue;
    const read = readVariable(variable, finding.value);
    if ('expected' in read) {
      problems.push(malformed(finding, variable, read.expected));
      continue;
    }
    const source: ValueSource = { kind: 'environment', where: finding.where };
    const { target } = variable;
    const { value } = read;
    if ('field' in target) overrides.push({ ...target, value, source, variable: placeOf(finding) });
    else sectionOverrides.push({ ...target, value, source });
  }
  return { overrides, sectionOverrides, problems };
}

/** A variable where it was found. */
interface Finding extends EnvEntry {
  /** `RETRY_TTL_MINUTES`, or `production.env:3 RETRY_TTL_MINUTES`. */
  readonly where: string;
  /** The environment file. Absent: the process's own environment. */
  readonly file?: string;
}

function fromProcess(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, line: 1, where: name }],
  );
}

function readFile(file: EnvironmentInput['envFile']): {
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
} {
  if (file === undefined) return { findings: [], problems: [] };
  const { entries, faults } = parseEnvFile(file.text);
  return {
    findings: entries.map((entry) => ({
      ...entry,
      where: `${file.name}:${entry.line} ${entry.name}`,
      file: file.name,
    })),
    problems: faults.map((fault) => ({
      severity: 'error',
      code: 'env_file_syntax',
      path: '',
      ...fault,
      file: file.name,
    })),
  };
}

/** A variable of the process has neither file nor line, so that its name stands for both. */
function problemAt({ name, line, file = name }: Finding) {
  return { path: name, line, column: 1, file };
}

function placeOf({ name, line, file }: Finding): VariablePlace {
  return file === undefined ? { name } : { name, file: { name: file, line } };
}

/** What a message calls a variable; the file and the line of one in a file stand beside the message. */
function subject({ name, file }: Finding): string {
  return file === undefined ? `The environment variable ${name}` : name;
}

function unknownName(finding: Finding): Problem[] {
  const { name } = finding;
  const meant = meantBy(name);
  if (meant === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'unknown_variable',
      ...problemAt(finding),
      message: `${subject(finding)} is not a variable of Redrive and has no effect`,
      suggestion: `write ${meant}`,
    },
  ];
}

/** Other programs have variables too, also with this prefix: only what is nearly ours is worth a word. */
function meantBy(name: string): string | undefined {
  if (!/^retry_/i.test(name)) return undefined;
  // RETRY_MAX_DELAY_MS is nearer to RETRY_BASE_DELAY_MS by letters, but not by meaning.
  const stem = withoutUnit(name.toUpperCase());
  return KNOWN.find((known) => withoutUnit(known) === stem) ?? nearest(name, KNOWN);
}

const withoutUnit = (name: string) => name.replace(/_(?:MS|SECONDS|MINUTES|HOURS)$/, '');

function emptyValue(finding: Finding): Problem {
  return {
    severity: 'warning',
    code: 'empty_variable',
    ...problemAt(finding),
    message: `${subject(finding)} is empty and has no effect`,
    suggestion: 'give it a value, or remove it',
  };
}

/** A value of any length may stand there: problems are bounded. */
const MAX_SHOWN = 40;

function malformed(finding: Finding, { unit, name }: Variable, expected: string): Problem {
  const { value } = finding;
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  const example = unit === 'factor' ? '2.0' : '5';
  return {
    severity: 'error',
    code: 'malformed_variable',
    ...problemAt(finding),
    message: `${subject(finding)} must be ${expected}, not ${JSON.stringify(shown)}`,
    suggestion: `write a plain number, for instance ${name}=${example}`,
  };
}
