import { Binary, Double, Long, ObjectId, UUID } from 'mongodb';

/** Texts that stand for another type, so a string of this form gets a prefix itself. */
const TAKEN = /^(?:[0-9a-f]{24}$|(?:string|number|uuid):)/;

/**
 * The text of an id: no other id has it. A string is itself, an ObjectId its 24 digits; others say their type, as
 * `number:7`. `undefined`: a type that is not supported.
 */
export function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return TAKEN.test(id) ? `string:${id}` : id;
  if (id instanceof ObjectId) return id.toHexString();
  if (typeof id === 'number' || id instanceof Long) return `number:${id}`;
  if (id instanceof Binary && id.sub_type === Binary.SUBTYPE_UUID) return `uuid:${id.toUUID()}`;
  return undefined;
}

/** The id of a text that `idText` made. A text that it never makes is the id of no document. */
export function idValue(text: string): string | ObjectId | Long | Double | UUID {
  if (/^[0-9a-f]{24}$/.test(text)) return new ObjectId(text);
  const [, type, rest = ''] = /^(string|number|uuid):(.*)$/su.exec(text) ?? [];
  if (type === 'string') return rest;
  if (type === 'number' && /^-?\d{1,18}$/.test(rest)) return Long.fromString(rest);
  if (type === 'number') return new Double(Number(rest));
  return type === 'uuid' && UUID.isValid(rest) ? new UUID(rest) : text;
}
