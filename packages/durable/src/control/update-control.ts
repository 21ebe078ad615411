import { RedriveError } from '@redrive/core';
import type { CauseRuleDocument, RegroupDocument } from '../dead-letter/rules/rule-documents.ts';
import type { EscalationDocument } from '../escalation/next-step.ts';
import type { ScheduleDocument } from '../schedule/schedule.ts';
import { type Actor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { RateDocument } from './claim-rates.ts';
import type { Control, ControlCommand, ControlKind, Controls } from './control-store.ts';
import { hasItsShape } from './document-shapes.ts';
import type { BulkProgress } from './rules/bulk-progress.ts';
import type { ClosedGate, KillSwitch, ParkedCause } from './rules/documents.ts';
import type { SharedBreaker } from './rules/shared-breaker.ts';
import type { SourceReport } from './source-reports.ts';

/** The document of each kind. */
export interface ControlDocuments {
  kill: KillSwitch;
  breaker: SharedBreaker;
  gate: ClosedGate;
  park: ParkedCause;
  operation: BulkProgress;
  schedule: ScheduleDocument;
  source: SourceReport;
  escalation: EscalationDocument;
  cause: CauseRuleDocument;
  regroup: RegroupDocument;
  rate: RateDocument;
}

export interface ControlUpdate<K extends ControlKind> {
  readonly of: K;
  readonly key: string;
  /**
   * Makes the next document from the current one. `undefined`: no change; `null`: delete it. Called again when another
   * process was first, so it must be pure.
   */
  readonly next: (
    current: ControlDocuments[K] | undefined,
    nowMs: number,
  ) => ControlDocuments[K] | null | undefined;
  /** For the audit log: see `ControlCommand.note`. */
  readonly note?:
    | ((
        before: ControlDocuments[K] | undefined,
        after: ControlDocuments[K] | null,
      ) => object | undefined)
    | undefined;
}

export interface ControlUpdated<K extends ControlKind> {
  readonly before: ControlDocuments[K] | undefined;
  readonly after: ControlDocuments[K] | undefined;
  readonly changed: boolean;
  /** Revision of the current document, or of its deletion. 0: it does not exist. */
  readonly revision: number;
}

/** Most tries: another process may be first. */
const MAX_TRIES = 50;

/**
 * Reads a control document, decides and writes; again if another process was first.
 *
 * @throws RedriveError `store_unavailable`; `control_conflict` after fifty tries, or when the store has too many
 *   documents.
 */
export async function updateControl<K extends ControlKind>(
  store: FullStore,
  update: ControlUpdate<K>,
): Promise<ControlUpdated<K>> {
  const { of, key, next } = update;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { all, nowMs } = await store.controls();
    const found = all.find((control) => control.kind === of && control.key === key);
    const before = found && documentOf<K>(found);
    const expect = found?.revision ?? 0;
    const after = next(before, nowMs);
    if (after === undefined) return { before, after: before, changed: false, revision: expect };
    const [answer] = await store.apply([controlCommand(update, expect, before, after)]);
    if (answer.ok) {
      return { before, after: after ?? undefined, changed: true, revision: answer.revision };
    }
    if (answer.refusal === 'full') {
      throw new RedriveError('control_conflict', 'The store has too many control documents', {
        kind: of,
        key,
      });
    }
  }
  throw new RedriveError('control_conflict', `Other processes keep changing ${of} ${key}`, {
    kind: of,
    key,
  });
}

/** The command for an update that was decided from the document of this revision. */
export function controlCommand<K extends ControlKind>(
  { of, key, note }: Omit<ControlUpdate<K>, 'next'>,
  expect: number,
  before: ControlDocuments[K] | undefined,
  after: ControlDocuments[K] | null,
): ControlCommand {
  const detail = note?.(before, after);
  return {
    kind: 'control',
    of,
    key,
    expect,
    document: after === null ? undefined : JSON.stringify(after),
    note: detail && JSON.stringify(detail),
  };
}

/**
 * Parses a document. One without the shape of its kind (written by hand, or by another version) is ignored: it must not
 * keep others from being read, and the next write of its key replaces it. But an unreadable kill switch stops its target.
 */
export function documentOf<K extends 'kill'>(control: Control): ControlDocuments[K];
export function documentOf<K extends ControlKind>(
  control: Control,
): ControlDocuments[K] | undefined;
export function documentOf({ kind, document }: Control): object | undefined {
  const read = parsedObject(document);
  if (hasItsShape(kind, read)) return read;
  return kind === 'kill' ? UNREADABLE_KILL : undefined;
}

const UNREADABLE_KILL: KillSwitch = {
  mode: 'finish',
  sinceMs: 0,
  by: 'unknown',
  why: 'its document cannot be read',
};

/** `undefined`: the text is not JSON. */
export function parsedObject(document: string): object | undefined {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

/** The audit note of an operator's act: who, why, the act, and its details. */
export function controlNote({ name, why }: Actor, act: string, more: object = {}): object {
  return { by: name, why: keptWhy(why), act, ...more };
}

/** The documents of one kind that can be read, with their keys. */
export function documentsIn<K extends ControlKind>(
  { all }: Pick<Controls, 'all'>,
  kind: K,
): ReadonlyMap<string, ControlDocuments[K]> {
  const own = all.filter((control) => control.kind === kind);
  return new Map(
    own.flatMap((control) => {
      const document = documentOf<K>(control);
      return document === undefined ? [] : [[control.key, document]];
    }),
  );
}
