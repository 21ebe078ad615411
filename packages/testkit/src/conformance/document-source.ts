import { deepEqual, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import { claiming, ending, noting, recording, settling } from './document-source/changing.ts';
import { finding } from './document-source/finding.ts';
import { type DocumentsUnderTest, DUE, Place, type RegisterTest } from './document-source/place.ts';
import type { TestRunner } from './ledger.ts';

export {
  type DocumentsUnderTest,
  type OwnersDocument,
  testCollection,
} from './document-source/place.ts';

/** Registers the tests that every `DocumentSource` must pass. `make` is called once per test. */
export function documentSourceConformance(
  make: () => Promise<DocumentsUnderTest>,
  { describe, it }: TestRunner,
): void {
  function test(name: string, body: (place: Place) => Promise<void>): void {
    it(name, async () => {
      const subject = await make();
      try {
        await body(new Place(subject));
      } finally {
        await subject.source.close();
        await subject.close?.();
      }
    });
  }
  describe('find', () => finding(test));
  describe('claim', () => claiming(test));
  describe('settle', () => settling(test));
  describe('note', () => noting(test));
  describe('record', () => recording(test));
  describe('fail, reset and remove', () => ending(test));
  describe('prepare', () => preparing(test));
  describe('close', () => closing(test));
}

function preparing(test: RegisterTest): void {
  test('creates missing parts once, and a dry run creates nothing', async (place) => {
    const { source, collection } = place;
    const missing = await source.prepare(collection, { dryRun: true });
    deepEqual(await source.prepare(collection, { dryRun: true }), missing);
    deepEqual(await source.prepare(collection, { dryRun: false }), missing);
    deepEqual(await source.prepare(collection, { dryRun: false }), []);
    deepEqual(await source.prepare(collection, { dryRun: true }), []);
  });
}

function closing(test: RegisterTest): void {
  test('may be done twice, and makes later calls reject', async ({ source, collection }) => {
    await source.close();
    await source.close();
    await rejects(source.find(collection, { ...DUE, limit: 1 }), (error: unknown) =>
      isRedriveError(error, 'documents_unavailable'),
    );
  });
}
