/** What an answer says beside its document. It travels in headers, so that the document is the same everywhere. */
export interface Notes {
  /** The store's time of the answer. */
  asOfMs?: number;
  readonly warnings: string[];
}

/** A header holds some kilobytes; a warning is a sentence. */
const MAX_WARNINGS = 10;
const MAX_WARNING = 500;

export function noteHeaders({ asOfMs, warnings }: Notes): Readonly<Record<string, string>> {
  const shown = warnings.slice(0, MAX_WARNINGS).map((each) => each.slice(0, MAX_WARNING));
  return {
    ...(asOfMs === undefined ? {} : { 'x-redrive-as-of': String(asOfMs) }),
    ...(shown.length === 0
      ? {}
      : { 'x-redrive-warnings': encodeURIComponent(JSON.stringify(shown).toWellFormed()) }),
  };
}
