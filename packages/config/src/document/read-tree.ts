import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type YAMLMap,
} from 'yaml';
import { finding, type Place } from '../problem/findings.ts';
import { nearest } from '../problem/nearest.ts';
import type { Problem } from '../problem/problem.ts';
import { MAX_DEPTH, MAX_NAME_LENGTH, MAX_VALUES } from './limits.ts';
import { Places } from './places.ts';

/** A document as plain data, and where each value stands. */
export interface Tree {
  readonly value: unknown;
  readonly places: Places;
  readonly problems: readonly Problem[];
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const NO_TEXT = { code: 'forbidden_key', message: 'A key must be a text' } as const;
const PLAIN_TAGS = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/**
 * Turns a document into plain data. Own code in place of `document.toJS()`, because that knows no positions, replaces
 * aliases without a limit on what comes out, and takes any key.
 */
export function readTree(document: Document, lines: LineCounter): Tree {
  const places = new Places(lines);
  const problems: Problem[] = [];
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let values = 0;
  let tooMany = false;

  function read(node: unknown, path: readonly string[], place: Place): unknown {
    if (tooMany || node === null || node === undefined) return null;
    if (++values > MAX_VALUES) {
      tooMany = true;
      problems.push(
        finding('too_many_aliases', place, `Aliases make more than ${MAX_VALUES} values`),
      );
      return null;
    }
    if (path.length > MAX_DEPTH) {
      problems.push(
        finding('too_deep', place, `More than ${MAX_DEPTH} maps and lists stand in each other`),
      );
      return null;
    }
    if (isAlias(node)) return readAlias(node.source, path, place);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (node.tag !== undefined && !PLAIN_TAGS.test(node.tag)) {
      problems.push(
        finding(
          'custom_tag',
          place,
          `The tag ${node.tag} is not allowed: files hold plain data`,
          'remove the tag',
        ),
      );
    }
    if (isScalar(node)) return plainScalar(node.value);
    open.add(node);
    const result = isMap(node)
      ? readMap(node, path)
      : node.items.map((item, index) => {
          const at = [...path, String(index)];
          return read(item, at, places.note(at, undefined, item));
        });
    open.delete(node);
    return result;
  }

  function readAlias(name: string, path: readonly string[], place: Place): unknown {
    const target = anchors.get(name);
    if (target === undefined) {
      const close = nearest(name, anchors.keys());
      problems.push(
        finding(
          'unknown_alias',
          place,
          `There is no anchor &${name} before this alias`,
          close && `write *${close}`,
        ),
      );
      return null;
    }
    if (!open.has(target)) return read(target, path, place);
    problems.push(
      finding('too_many_aliases', place, `The alias *${name} stands inside what it stands for`),
    );
    return null;
  }

  function readMap(map: YAMLMap, path: readonly string[]): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const pair of map.items) {
      if (!isPair(pair)) continue;
      const key = keyText(pair.key);
      const at = [...path, key ?? '?'];
      const refused = refusal(key, result);
      if (key === undefined || refused !== undefined) {
        const { code, message } = refused ?? NO_TEXT;
        problems.push(finding(code, places.at(at, pair.key), message));
        continue;
      }
      const place = places.note(at, pair.key, pair.value);
      result[key] = read(pair.value, at, place);
    }
    return result;
  }

  const root = document.contents;
  const value = read(root, [], places.note([], undefined, root));
  return { value, places, problems };
}

function keyText(key: unknown): string | undefined {
  return isScalar(key) && ['string', 'number', 'boolean'].includes(typeof key.value)
    ? String(key.value)
    : undefined;
}

/** Dates and binary data exist in older versions of YAML only; they are texts here. */
function plainScalar(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' && value !== null ? String(value) : value;
}

function refusal(
  key: string | undefined,
  before: object,
): { readonly code: Problem['code']; readonly message: string } | undefined {
  if (key === undefined) return undefined;
  if (FORBIDDEN.has(key))
    return { code: 'forbidden_key', message: `A key must not be called ${key}` };
  if (key.length > MAX_NAME_LENGTH)
    return {
      code: 'forbidden_key',
      message: `A key must not have more than ${MAX_NAME_LENGTH} characters`,
    };
  if (Object.hasOwn(before, key))
    return { code: 'duplicate_key', message: `The key ${key} is here twice` };
  return undefined;
}
