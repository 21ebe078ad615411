import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { lookUp, parseDocument } from '@redrive/config';
import { nearest } from '@redrive/core/fields';
import { readScene, type Scene, SHIPPED_SCENES } from '@redrive/lab';
import type { Invocation } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { printProblems } from '../config/problem-lines.ts';
import { readConfigFile } from '../config/read-file.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printable } from '../terminal/printable.ts';

const CORRECT = 'docs/explanation/lab.md describes the fields of a scene.';

/**
 * A scene by its name or from a file. Policies that it names are those of the configuration, which is read only then.
 *
 * @throws CliError after all problems were printed.
 */
export async function loadScene(invocation: Invocation, name: string): Promise<Scene> {
  const { io } = invocation;
  const value = sceneValue(invocation, name);
  const config = namesPolicies(value) ? await loadConfig(invocation) : undefined;
  const { scene, problems } = readScene(
    value,
    (policy) => config && lookUp(config, policy).policy?.policy,
  );
  if (scene !== undefined) return scene;
  for (const { path, message } of problems) io.stderr(`${printable(`${path}: ${message}`)}\n`);
  throw new CliError(
    'failed',
    `The scene ${name} is not valid, so nothing was simulated.`,
    CORRECT,
  );
}

function sceneValue({ io }: Invocation, name: string): unknown {
  const shipped: Readonly<Record<string, unknown>> = SHIPPED_SCENES;
  if (Object.hasOwn(shipped, name)) return shipped[name];
  if (!existsSync(resolve(io.directory, name))) {
    const names = Object.keys(shipped);
    const close = nearest(name, names);
    throw new CliError(
      'no_match',
      `There is no file and no scene with the name ${name}.`,
      close === undefined ? `The scenes are ${names.join(', ')}.` : `Did you mean "${close}"?`,
    );
  }
  const text = readConfigFile(io, name);
  const { value, problems } = parseDocument(text);
  if (problems.length === 0) return value;
  printProblems(io, { problems, text, file: name });
  throw new CliError('failed', `The scene ${name} cannot be read.`, CORRECT);
}

function namesPolicies(value: unknown): boolean {
  const layers: unknown = Object(Object(value).callers).layers;
  return Array.isArray(layers) && layers.some((layer) => typeof layer === 'string');
}
