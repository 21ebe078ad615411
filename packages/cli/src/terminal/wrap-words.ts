/**
 * A text in lines of at most `columns` characters, broken between words; the lines after the first are indented. A word
 * that is longer than a line stays whole: it may be a path that somebody wants to copy.
 */
export function wrapWords(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line.trim() !== '' && [...longer].length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
