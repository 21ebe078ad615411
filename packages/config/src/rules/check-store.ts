import type { FileContent } from '../content/file-content.ts';
import { record } from '../content/record.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';

const POSTGRES_ONLY = ['schema', 'connections'] as const;

/** A SQLite file has neither a schema nor several connections: either would be ignored, and the address is likely wrong. */
export function checkStore(content: FileContent): Problem[] {
  const store = record(content.sections.store);
  // `url` has a default, so only its source tells whether somebody wrote it.
  const hasUrl = content.sectionSources.has('store.url');
  if (hasUrl && !String(store.url).startsWith('sqlite:')) return [];
  const url = hasUrl
    ? `store.url (line ${content.placeOf(['store', 'url']).line}) is a SQLite file`
    : 'without store.url the store is a SQLite file';
  return POSTGRES_ONLY.filter((key) => store[key] !== undefined).map((key) => {
    const place = content.placeOf(['store', key]);
    const message = `store.${key} (line ${place.line}) is for Postgres, and ${url}`;
    return finding('postgres_only', place, message);
  });
}
