import type { Role } from '../action/who.ts';

/** A field of an input, as help and completion need it. */
export interface ManifestField {
  readonly name: string;
  readonly summary: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** It takes several of them. */
  readonly repeats?: true;
}

/** An action without its schemas and its code, so that help, completion and clients load no validator. */
export interface ManifestEntry {
  readonly at: string;
  readonly summary: string;
  readonly details?: string;
  readonly role: Role;
  readonly reads?: 'payloads' | 'sessions' | 'metrics';
  /** It uses no store. */
  readonly uses?: 'config' | 'access';
  readonly exports?: true;
  /** It changes something, and has `dry_run`. */
  readonly acts?: true;
  /** A request needs a reason. */
  readonly reason?: true;
  /** Its exit code depends on the answer. */
  readonly verdict?: true;
  /** It answers with one item after the other. */
  readonly streams?: true;
  readonly refusals?: Readonly<Partial<Record<'no_match' | 'refused' | 'conflict', string>>>;
  /** `dry_run` apart. */
  readonly input: readonly ManifestField[];
  /** Every field of the answer, one per line: `path | type | meaning`. */
  readonly json: string;
}
