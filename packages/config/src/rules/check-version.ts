import { record } from '../config.ts';
import { CURRENT_VERSION } from '../content/file-content.ts';
import type { Places } from '../document/places.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { shapeAt } from '../shape/check-shape.ts';
import { shownValue } from '../shape/expected.ts';
import type { ObjectShape, Shape } from '../shape/shape.ts';

const SUGGESTION = `write version: "${CURRENT_VERSION}"`;

/** Compares a file with its version: the version is known, and the file has the keys that its version has. */
export function checkVersion(value: unknown, shape: ObjectShape, places: Places): Problem[] {
  const root = record(value);
  const { version } = root;
  // A missing or empty one is reported with the other fields.
  if (typeof version !== 'string' || version === '') return [];
  return [
    ...checkNumber(version, places),
    ...(version.startsWith('1.0.') ? requiredSections(root, version, places) : []),
    ...(version === '1.0.0' ? newerFields(root, shape, [], places) : []),
  ];
}

/** 1.0.0 and 1.1.x are read; a newer minor version with a warning; another major version not at all. */
function checkNumber(version: string, places: Places): Problem[] {
  const place = places.value(['version']);
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})\.\d{1,6}$/.exec(version) ?? [];
  if (major === undefined) {
    const message = `version must be three numbers with dots between them, not ${shownValue(version)}`;
    return [finding('out_of_range', place, message, SUGGESTION)];
  }
  if (Number(major) !== 1) {
    const message = `The file has version ${version}, but this Redrive reads versions 1.0.0 to ${CURRENT_VERSION} only`;
    const newer = Number(major) > 1;
    const advice = newer ? `use a newer Redrive, or ${SUGGESTION} and its keys` : SUGGESTION;
    return [finding('unsupported_version', place, message, advice)];
  }
  if (Number(minor) > 1) {
    const message = `The file has version ${version}, but this Redrive knows versions up to ${CURRENT_VERSION}: newer keys are unknown here`;
    return [finding('newer_version', place, message, 'use a newer Redrive')];
  }
  return [];
}

const REQUIRED = ['policies', 'subsystem_mappings'] as const;

/** Version 1.0.0 requires both maps, though they may be empty; 1.1.0 has presets, so a file may go without. */
function requiredSections(
  root: Readonly<Record<string, unknown>>,
  version: string,
  places: Places,
): Problem[] {
  return REQUIRED.filter((key) => root[key] === undefined).map((key) =>
    finding(
      'missing_field',
      places.value([key]),
      `${key} is missing: version ${version} requires it`,
      `add ${key}: {}, or ${SUGGESTION}, which may leave it out`,
    ),
  );
}

/** Warns of what version 1.1.0 has added, in a file that says it is 1.0.0: older programs would stumble over it. */
function newerFields(
  value: unknown,
  shape: Shape,
  path: readonly string[],
  places: Places,
): Problem[] {
  if (path.length > 0 && shape.since !== '1.0.0') {
    const message = `${path.at(-1)} belongs to version 1.1.0, but the file has version: "1.0.0"`;
    return [finding('newer_field', places.key(path), message, SUGGESTION)];
  }
  return Object.entries(record(value)).flatMap(([key, part]) => {
    const inner = shapeAt(shape, [key]);
    return inner === undefined ? [] : newerFields(part, inner, [...path, key], places);
  });
}
