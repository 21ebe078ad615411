/** The largest file that is read. */
export const MAX_BYTES = 256 * 1024;

/** Colons, commas, brackets, line ends and pairs of quotes: about half of the tokens, but counting them takes no time. */
export const MAX_MARKS = 50_000;

/**
 * The most tokens of a text. A handwritten file of 256 KiB has about 60,000, and the time of reading grows with them.
 */
export const MAX_TOKENS = 65_536;

/** Maps and lists in each other. The file's own format needs 10. */
export const MAX_DEPTH = 32;

/** `*alias`es in a file. */
export const MAX_ALIASES = 100;

/** Values that aliases put into the file, so that aliases of aliases cannot multiply. */
export const MAX_ALIASED_VALUES = 5_000;

/** Problems that are reported; a file with more is not a configuration. */
export const MAX_PROBLEMS = 100;

/** Characters of a name. */
export const MAX_NAME_LENGTH = 200;
