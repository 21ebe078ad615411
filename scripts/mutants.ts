// `npm run test:mutants [-- --only <text>]`: plants known bugs in a copy of the repository, one after the other, and
// lets the tests that should notice run. Exit code 1: one was missed, or a test fails without any bug.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nameOf, plant } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { RepositoryCopy } from './mutants/repository-copy.ts';
import { build, runTests } from './mutants/run-tests.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const chosen = MUTANTS.filter((mutant) => nameOf(mutant).includes(values.only));
const copy = new RepositoryCopy(join(import.meta.dirname, '..'));
const seconds = (sinceMs: number): string =>
  `${Math.round((performance.now() - sinceMs) / 1_000)} s`;
let isWrong = false;

function fail(text: string): void {
  isWrong = true;
  console.log(text);
}

try {
  const problem = build(copy.root);
  if (problem !== undefined) throw new Error(problem);
  const sets = new Map(chosen.map(({ tests, about }) => [`${tests} ${about}`, { tests, about }]));
  for (const { tests, about } of sets.values()) {
    const beganMs = performance.now();
    const sound = runTests(copy.root, about === undefined ? { tests } : { tests, about });
    console.log(
      `without a bug: ${sound?.passed} passed, ${sound?.failed} failed, ${seconds(beganMs)}`,
    );
    if (sound === undefined || sound.failed > 0) {
      throw new Error(`They must pass without a bug: ${sound?.failures.join('; ')}`);
    }
  }
  for (const mutant of chosen) {
    const startedMs = performance.now();
    const name = nameOf(mutant);
    const takeOut = plant(copy.root, mutant);
    const refused = build(copy.root);
    const run = refused === undefined ? runTests(copy.root, mutant) : undefined;
    takeOut();
    if (refused !== undefined) fail(`BROKEN  ${name}: it does not compile\n${refused}`);
    else if (run === undefined) fail(`BROKEN  ${name}: the tests gave no result`);
    else if (run.failed === 0) fail(`MISSED  ${name}`);
    else
      console.log(
        `caught  ${name}, ${run.failed} tests, ${seconds(startedMs)}: ${run.failures[0]}`,
      );
  }
} finally {
  copy.remove();
}
process.exitCode = isWrong ? 1 : 0;
