/**
 * The program of all threads as one text, for bundles of applications: a bundle has no files of threads beside it. Empty
 * in the sources. `scripts/embed-threads.ts` writes the text into `dist`, made from the same files that threads run there.
 */
export const EMBEDDED_THREADS: string = '';
