import { join } from 'node:path';
import { groupOf, type Letter, type Mistake, readLetters, scoreOf } from './causes/score.ts';

// How well dead letters are grouped by cause: npm run causes -- [FILE.jsonl …]
const SHOWN = 10;
const PARTS = 4;
const PASSES = 30;

const own = [
  'letters',
  'more-letters',
  'third-letters',
  'fourth-letters',
  'fifth-letters',
  'sixth-letters',
].map((name) => join(import.meta.dirname, 'causes', `${name}.jsonl`));
const given = process.argv.slice(2);
for (const path of given.length > 0 ? given : own) {
  const letters = readLetters(path);
  const { causes, groups, precision, recall, f1, splits, merges } = scoreOf(letters);
  console.log(`${path}: ${letters.length} letters of ${causes} causes in ${groups} groups`);
  console.log(
    `precision ${percent(precision)}  recall ${percent(recall)}  F1 ${percent(f1)}  ${microseconds(letters).toFixed(1)} µs of processor time per message`,
  );
  print('Causes in several groups', splits);
  print('Groups of several causes', merges);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** With masking and hash; the fastest of some passes. */
function microseconds(letters: readonly Letter[]): number {
  let best = Infinity;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const before = process.cpuUsage();
    for (const letter of letters) groupOf(letter);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / letters.length);
  }
  return best;
}

function print(title: string, mistakes: readonly Mistake[]): void {
  if (mistakes.length === 0) return;
  console.log(
    `\n${title}: ${mistakes.length}${mistakes.length > SHOWN ? `, the worst ${SHOWN}` : ''}`,
  );
  for (const { name, letters, parts } of mistakes.slice(0, SHOWN)) {
    console.log(`  ${name}: ${letters} letters, ${parts.length} parts`);
    for (const part of parts.slice(0, PARTS)) console.log(`      ${part.slice(0, 150)}`);
  }
  console.log();
}
