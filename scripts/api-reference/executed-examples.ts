/** The functions that these snippets import and call, by entry: `@redrive/core`, `@redrive/durable/control`. */
export function calledBy(snippets: readonly { readonly code: string }[]): Map<string, Set<string>> {
  const called = new Map<string, Set<string>>();
  for (const { code } of snippets) {
    for (const [, names = '', entry = ''] of code.matchAll(IMPORT)) {
      const known = called.get(entry) ?? new Set();
      called.set(entry, known);
      for (const name of names.split(',')) {
        const [original = '', alias = original] = name.trim().split(' as ');
        if (original && new RegExp(`\\b${alias}(?:<[^>]*>)?\\(`).test(code)) known.add(original);
      }
    }
  }
  return called;
}

const IMPORT = /^import \{([^}]*)\} from '(@redrive\/[^']*)';$/gm;
