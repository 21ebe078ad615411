import type { Config } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';

/** What a lint looks at: what is in force, and where the file says it. */
export interface LintInput {
  readonly config: Config;
  readonly content: FileContent;
}
