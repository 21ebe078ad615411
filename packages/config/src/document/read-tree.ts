import { nearest } from '@redrive/core/fields';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ProblemCode } from '../problem/codes.ts';
import { finding, type Place, type Problem } from '../problem/problem.ts';
import { MAX_ALIASED_VALUES, MAX_DEPTH, MAX_NAME_LENGTH, MAX_PROBLEMS } from './parse-yaml.ts';
import { Places } from './places.ts';

/** A document as plain data, and where each value stands. */
export interface Tree {
  readonly value: unknown;
  readonly places: Places;
}

/**
 * Turns a document into plain data. Own code in place of `document.toJS()`, because that knows no positions, replaces
 * aliases without a limit on what comes out of them, and takes any key.
 */
export function readTree(
  document: Document,
  lines: LineCounter,
): { readonly tree?: Tree; readonly problems: readonly Problem[] } {
  const reader = new TreeReader(new Places(lines));
  const value = reader.readRoot(document.contents);
  const { problems, places, isStopped } = reader;
  return isStopped ? { problems } : { tree: { value, places }, problems };
}

type Collection = YAMLMap | YAMLSeq;
type Path = readonly string[];

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const PLAIN_TAGS = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

class TreeReader {
  readonly places: Places;
  readonly problems: Problem[] = [];
  /** A limit was passed: what has been read is not all, and must not be judged as if it were. */
  isStopped = false;
  readonly #anchors = new Map<string, Scalar | Collection>();
  /** The collections around the place that is read. */
  readonly #open = new Set<unknown>();
  #aliasDepth = 0;
  #aliasedValues = 0;

  constructor(places: Places) {
    this.places = places;
  }

  readRoot(node: unknown): unknown {
    return this.#read(node, [], this.places.note([], undefined, node));
  }

  #read(node: unknown, path: Path, place: Place): unknown {
    if (this.#aliasDepth > 0 && ++this.#aliasedValues > MAX_ALIASED_VALUES) {
      this.#stop(
        'too_many_aliases',
        place,
        `Aliases expand to more than ${MAX_ALIASED_VALUES} values`,
      );
    }
    if (path.length > MAX_DEPTH) {
      this.#stop('too_deep', place, `Maps and lists are nested more than ${MAX_DEPTH} levels deep`);
    }
    if (this.problems.length > MAX_PROBLEMS) this.isStopped = true;
    if (this.isStopped) return null;
    if (isAlias(node)) return this.#readAlias(node, path, place);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (node.tag !== undefined && !PLAIN_TAGS.test(node.tag)) {
      this.#report(
        'custom_tag',
        place,
        `The tag ${node.tag} is not supported: a file is plain data`,
      );
    }
    return isScalar(node) ? plainScalar(node.value) : this.#readCollection(node, path);
  }

  #readCollection(node: Collection, path: Path): unknown {
    this.#open.add(node);
    const result = isMap(node) ? this.#readMap(node, path) : this.#readList(node, path);
    this.#open.delete(node);
    return result;
  }

  #readAlias({ source: name }: Alias, path: Path, place: Place): unknown {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      const close = nearest(name, this.#anchors.keys());
      const advice = close === undefined ? undefined : `write *${close}`;
      this.#report('unknown_alias', place, `There is no anchor &${name} before this`, advice);
      return null;
    }
    if (this.#open.has(target)) {
      this.#stop('too_many_aliases', place, `The alias *${name} is inside its own anchor &${name}`);
      return null;
    }
    this.#aliasDepth++;
    const value = this.#read(target, path, place);
    this.#aliasDepth--;
    return value;
  }

  #readList(list: YAMLSeq, path: Path): unknown[] {
    return list.items.map((item, index) => {
      const at = [...path, String(index)];
      return this.#read(item, at, this.places.note(at, undefined, item));
    });
  }

  #readMap(map: YAMLMap, path: Path): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const { key: node, value } of map.items) {
      if (this.isStopped) break;
      const key = keyText(node);
      const at = [...path, key ?? '?'];
      const refused = refusal(key, result);
      if (key === undefined || refused !== undefined) {
        const { code, message } = refused ?? NO_TEXT;
        this.#report(code, this.places.at(at, node), message);
      } else {
        result[key] = this.#read(value, at, this.places.note(at, node, value));
      }
    }
    return result;
  }

  #report(code: ProblemCode, place: Place, message: string, suggestion?: string): void {
    this.problems.push(finding(code, place, message, suggestion));
  }

  #stop(code: ProblemCode, place: Place, message: string): void {
    if (!this.isStopped) this.#report(code, place, message);
    this.isStopped = true;
  }
}

function keyText(key: unknown): string | undefined {
  return isScalar(key) && ['string', 'number', 'boolean'].includes(typeof key.value)
    ? String(key.value)
    : undefined;
}

/** Integers beyond 2^53 are not values of a configuration, but must not be of a type that nothing expects. */
function plainScalar(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' && value !== null ? String(value) : value;
}

interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
}

const NO_TEXT: Refusal = { code: 'forbidden_key', message: 'A key must be a text' };

function refusal(key: string | undefined, before: object): Refusal | undefined {
  if (key === undefined) return undefined;
  if (FORBIDDEN.has(key)) {
    return { code: 'forbidden_key', message: `The key ${key} is not allowed` };
  }
  if (key.length > MAX_NAME_LENGTH) {
    const message = `A key must not have more than ${MAX_NAME_LENGTH} characters`;
    return { code: 'forbidden_key', message };
  }
  return Object.hasOwn(before, key)
    ? { code: 'duplicate_key', message: `The key ${key} appears twice` }
    : undefined;
}
