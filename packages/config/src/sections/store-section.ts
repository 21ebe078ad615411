import { defineSection } from './section.ts';
import { text, value, yesOrNo } from './value-shapes.ts';

/** Where jobs are kept when nobody says otherwise. */
export const DEFAULT_STORE = 'sqlite:./redrive.db';

/** Where jobs live. */
export const storeSection = defineSection('store', {
  kind: 'object',
  meaning:
    'Where jobs, their history and the audit log are kept. `--store` and `REDRIVE_STORE` beat it.',
  fields: {
    url: value(
      text,
      '`sqlite:<file>`, from the directory of this file, or `postgres://user@host/database`. Passwords are better kept in `REDRIVE_STORE`, `PGPASSWORD` or a password file; they are never shown.',
      DEFAULT_STORE,
    ),
    schema: value(
      text,
      'Postgres alone: the schema of the tables and functions, a lower-case identifier of at most 40 characters. The same as `?schema=` at the end of `url`; without both it is `redrive`.',
    ),
    migrate: value(
      yesOrNo,
      'Whether a worker makes the tables and brings them up to date when it starts. `false`: `redrive store migrate` does, with a role that owns the schema.',
      true,
    ),
  },
});
