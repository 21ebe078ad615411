/** The largest file that is read. */
export const MAX_BYTES = 256 * 1024;

/** What a text may consist of. A file of 256 KiB as people write them has about 60,000 tokens; reading takes time by token. */
export const MAX_TOKENS = 65_536;

/** Maps and lists in each other. The file's own format needs 10. */
export const MAX_DEPTH = 32;

/** `*alias`es in a file. */
export const MAX_ALIASES = 100;

/** Values after all aliases are replaced, so that aliases of aliases cannot multiply. */
export const MAX_VALUES = 65_536;

/** Problems that are reported; a file with more is not a configuration. */
export const MAX_PROBLEMS = 100;

/** Characters of a name. */
export const MAX_NAME_LENGTH = 200;
