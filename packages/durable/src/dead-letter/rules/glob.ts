/** `*` stands for any text. All other characters stand for themselves; upper and lower case are the same. */
export interface Glob {
  matches(text: string): boolean;
}

/** A pattern without alternatives and repetitions: it never tries a place twice, so no text makes it slow. */
export function globOf(pattern: string): Glob {
  const [first = '', ...rest] = pattern.toLowerCase().split(/\*+/);
  const last = rest.pop();
  return {
    matches(text) {
      const lower = text.toLowerCase();
      if (last === undefined) return lower === first;
      if (!lower.startsWith(first)) return false;
      let from = first.length;
      for (const part of rest) {
        const at = lower.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return lower.length - last.length >= from && lower.endsWith(last);
    },
  };
}
