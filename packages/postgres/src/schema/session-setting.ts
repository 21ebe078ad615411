/**
 * The name of a setting in which a function keeps something for the next call in the same server session. It holds only
 * facts that are true for every client of the session, because a pooler may give the session to another one; and the
 * schema is part of the name, because that client's store may be another one.
 */
export function sessionSetting(name: string, quotedSchema: string): string {
  return `redrive.${name}_${quotedSchema.replaceAll('"', '')}`;
}
