import { CURRENT_VERSION } from '../content/file-content.ts';
import type { Places } from '../document/places.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import { shownValue } from '../shape/expected.ts';

const SUGGESTION = `write version: "${CURRENT_VERSION}"`;

/** 1.0.0 and 1.1.x are read; a newer minor version with a warning; another major version not at all. */
export function checkVersion(version: unknown, places: Places): Problem[] {
  // A missing or empty one is reported with the other fields.
  if (version === undefined || version === '' || typeof version !== 'string') return [];
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
