/** The known name that a wrong one most likely stands for: spelt otherwise, misspelt, or cut short. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = bare(name);
  let nearest: string | undefined;
  let leastEdits = Math.floor(wanted.length / 3) + 1;
  for (const candidate of known) {
    const full = bare(candidate);
    const edits =
      wanted.length > 3 && full.includes(wanted)
        ? Number(full !== wanted)
        : editsBetween(wanted, full);
    if (edits < leastEdits) [nearest, leastEdits] = [candidate, edits];
  }
  return nearest;
}

/** `max_attempts` and `maxAttempts` are one name. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** The Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column++) {
      const [above = 0, left = 0, diagonal = 0] = [row[column], next[column - 1], row[column - 1]];
      next.push(Math.min(above + 1, left + 1, diagonal + Number(letter !== b[column - 1])));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
